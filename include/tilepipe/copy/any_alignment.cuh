// SPDX-License-Identifier: Apache-2.0
// Copies of rows whose alignment is known at run time only: head, body, tail.
#pragma once

#include "../core/loader_traits.hpp"
#include "cp_async.cuh"

TILEPIPE_NAMESPACE_BEGIN

// Threads that copy one row together; more rows go side by side.
TILEPIPE_HD constexpr int lanes_for_row(int rows, int row_bytes, int group_size) {
  if (rows == 1) return group_size;
  int lanes = 1;
  while (lanes < 32 && lanes * 16 < row_bytes) lanes *= 2;
  return min_of(lanes, group_size);
}

// Chunks of Width bytes number lane, lane + lanes, ... of the row's `body`, from byte `begin` of
// the row on.
template <int Width, class Traits>
TILEPIPE_D void copy_body(typename Traits::Tile& tile, int row, int begin, int body,
                          const unsigned char* start, int lane, int lanes) {
  for (int i = lane; i < body; i += lanes) {
    const int byte = begin + i * Width;
    unsigned char* to = tile.storage + Traits::offset(row, byte);
    if constexpr (Traits::path == Path::cp_async && Width >= 4)
      cp_async_chunk<Width, Traits>(ptx::shared_address(to), start + byte);
    else
      store_raw<Width>(to, load_raw<Width>(start + byte));
  }
}

// Bytes first..last-1 of a row, as wide as source and destination are aligned together.
template <class Traits>
TILEPIPE_D void copy_row(typename Traits::Tile& tile, int row, const unsigned char* start,
                         int first, int last, int lane, int lanes) {
  const int row_offset = Traits::shape.rows_contiguous ? Traits::offset(row, 0) : 0;
  const RunPlan plan = plan_run(static_cast<unsigned>(row_offset + first),
                                reinterpret_cast<unsigned long long>(start + first), last - first);
  const int head = static_cast<int>(plan.head), body = static_cast<int>(plan.body);
  const int begin = first + head, end = begin + body * plan.width;
  switch (plan.width) {
    case 16:
      copy_body<16, Traits>(tile, row, begin, body, start, lane, lanes);
      break;
    case 8:
      copy_body<8, Traits>(tile, row, begin, body, start, lane, lanes);
      break;
    case 4:
      copy_body<4, Traits>(tile, row, begin, body, start, lane, lanes);
      break;
    case 2:
      copy_body<2, Traits>(tile, row, begin, body, start, lane, lanes);
      break;
    default:
      copy_body<1, Traits>(tile, row, begin, body, start, lane, lanes);
      break;
  }
  for (int b = first + lane; b < begin; b += lanes) tile.storage[Traits::offset(row, b)] = start[b];
  for (int b = end + lane; b < last; b += lanes) tile.storage[Traits::offset(row, b)] = start[b];
}

template <class Traits>
TILEPIPE_D void zero_row(typename Traits::Tile& tile, int row, int first, int last, int lane,
                         int lanes) {
  for (int b = first + lane; b < last; b += lanes) tile.storage[Traits::offset(row, b)] = 0;
}

// The slice of a tile, by all threads of the group.
template <class Traits, class Slice, int G, class Rows>
TILEPIPE_D void any_alignment_tile(ThreadGroup<G> group, typename Traits::Tile& tile,
                                   const Rows& rows, ByteRange inside) {
  using Tile = typename Traits::Tile;
  constexpr bool by_rows = Tile::rows > 1;
  constexpr Edge edge = Traits::config.edge;
  const int lanes = lanes_for_row(Tile::rows, Tile::row_bytes, group.size());
  const int lane = group.rank % lanes, team = group.rank / lanes, teams = group.size() / lanes;
  if (team >= teams) return;
  const int begin = by_rows ? 0 : Slice::begin(Tile::row_bytes);
  const int end = by_rows ? Tile::row_bytes : Slice::end(Tile::row_bytes);
  for (int r = team + (by_rows ? Slice::begin(Tile::rows) : 0);
       r < (by_rows ? Slice::end(Tile::rows) : 1); r += teams) {
    const RowPlace place = rows(r);
    int first = begin, last = end;
    if constexpr (edge != Edge::exact) {
      first = min_of(max_of(begin, inside.first), end);
      last = place.present ? max_of(min_of(end, inside.last), first) : first;
    }
    if (first < last) copy_row<Traits>(tile, r, place.start, first, last, lane, lanes);
    if constexpr (edge == Edge::zero_fill) {
      zero_row<Traits>(tile, r, begin, first, lane, lanes);
      zero_row<Traits>(tile, r, last, end, lane, lanes);
    }
  }
}

TILEPIPE_NAMESPACE_END
