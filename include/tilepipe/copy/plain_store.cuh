// SPDX-License-Identifier: Apache-2.0
// Stores of a tile through registers: chunks read from shared and written to global memory, each by
// its thread.
#pragma once

#include "../core/store_path.hpp"
#include "../ptx/reduce.cuh"
#include "any_alignment.cuh"
#include "registers.cuh"
#include "rows.cuh"

TILEPIPE_NAMESPACE_BEGIN

// The sum of two bfloat16, rounded to nearest even, as bits. The sum as a float has more than twice
// the digits and two, so that rounding it again is as rounding once.
TILEPIPE_D unsigned short add_bf16_bits(unsigned short a, unsigned short b) {
  const float sum = __uint_as_float(static_cast<unsigned>(a) << 16) +
                    __uint_as_float(static_cast<unsigned>(b) << 16);
  const unsigned bits = __float_as_uint(sum);
  if (sum != sum) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// Adds the element at `from` to the one at `to`, atomically.
template <Addend Type>
TILEPIPE_D void add_element(unsigned char* to, const unsigned char* from) {
  if constexpr (Type == Addend::u32) {
    ptx::add_u32(to, load_raw<4>(from));
  } else if constexpr (Type == Addend::u64) {
    ptx::add_u64(to, *reinterpret_cast<const unsigned long long*>(from));
  } else if constexpr (Type == Addend::f32) {
    ptx::add_f32(to, *reinterpret_cast<const float*>(from));
  } else if constexpr (Type == Addend::f64) {
    ptx::add_f64(to, *reinterpret_cast<const double*>(from));
  } else if constexpr (Type == Addend::f16) {
    ptx::add_f16(to, load_raw<2>(from));
  } else if constexpr (this_arch >= 90) {
    ptx::add_bf16(to, load_raw<2>(from));
  } else {
    auto* word = reinterpret_cast<unsigned short*>(to);
    const unsigned short value = load_raw<2>(from);
    unsigned short seen = *static_cast<volatile unsigned short*>(word), before;
    do {
      before = seen;
      seen = atomicCAS(word, before, add_bf16_bits(before, value));
    } while (seen != before);
  }
}
// The same for the elements of some bytes, one after another.
template <class Traits>
TILEPIPE_D void add_elements(unsigned char* to, const unsigned char* from, int bytes) {
  constexpr int size = static_cast<int>(sizeof(typename Traits::Tile::value_type));
  for (int b = 0; b < bytes; b += size) add_element<Traits::addend>(to + b, from + b);
}

// Bytes first..last-1 of a row, as wide as shared and global address are aligned together.
template <class Traits>
TILEPIPE_D void store_row(const typename Traits::Tile& tile, int row, unsigned char* start,
                          int first, int last, int lane, int lanes) {
  const int row_offset = Traits::shape.rows_contiguous ? Traits::offset(row, 0) : 0;
  const RunPlan plan = plan_run(static_cast<unsigned>(row_offset + first),
                                reinterpret_cast<unsigned long long>(start + first), last - first);
  const int width = plan.width;
  const int begin = first + static_cast<int>(plan.head);
  const int end = begin + static_cast<int>(plan.body) * width;
  const auto from = [&](int b) { return tile.storage + Traits::offset(row, b); };
  for (int b = first + lane; b < begin; b += lanes) start[b] = *from(b);
  for (int b = begin + lane * width; b < end; b += lanes * width) {
    if (width == 16)
      store_raw<16>(start + b, load_raw<16>(from(b)));
    else if (width == 8)
      store_raw<8>(start + b, load_raw<8>(from(b)));
    else if (width == 4)
      store_raw<4>(start + b, load_raw<4>(from(b)));
    else if (width == 2)
      store_raw<2>(start + b, load_raw<2>(from(b)));
    else
      start[b] = *from(b);
  }
  for (int b = end + lane; b < last; b += lanes) start[b] = *from(b);
}

// The tile, by all threads of the group, after a barrier among those that wrote it. One chunk at a
// time is read and written: reads of all of them before the first write lose speed on an H200
// (docs/semantics.md).
template <class Traits, bool AnyAlignment, int G, class Rows>
TILEPIPE_D void plain_store_tile(ThreadGroup<G> group, const typename Traits::Tile& tile,
                                 const Rows& rows, ByteRange inside) {
  using Tile = typename Traits::Tile;
  const ThreadGroup<0> rolled{group.rank, group.size()};
  if constexpr (Traits::config.add) {
    constexpr int size = static_cast<int>(sizeof(typename Tile::value_type));
    using Elements = ChunkPlan<Tile::rows, Tile::row_bytes, size>;
    Elements::template for_each<Whole>(rolled, [&](const typename Elements::Chunk& element) {
      const RowPlace place = rows(element.row);
      const int b = element.start();
      if (place.present && b >= inside.first && b < inside.last)
        add_element<Traits::addend>(element.in(const_cast<unsigned char*>(place.start)),
                                    tile.storage + Traits::offset(element.row, b));
    });
  } else if constexpr (AnyAlignment) {
    const int lanes = lanes_for_row(Tile::rows, Tile::row_bytes, group.size());
    const int lane = group.rank % lanes, team = group.rank / lanes, teams = group.size() / lanes;
    if (team >= teams || inside.first >= inside.last) return;
    for (int r = team; r < Tile::rows; r += teams) {
      const RowPlace place = rows(r);
      if (place.present)
        store_row<Traits>(tile, r, const_cast<unsigned char*>(place.start), inside.first,
                          inside.last, lane, lanes);
    }
  } else {
    Traits::Plan::template for_each<Whole>(rolled, [&](const typename Traits::Plan::Chunk& chunk) {
      constexpr int width = Traits::width;
      const RowPlace place = rows(chunk.row);
      unsigned char* to = chunk.in(const_cast<unsigned char*>(place.start));
      const unsigned char* from = tile.storage + Traits::offset(chunk.row, chunk.start());
      const int n = Traits::config.edge == Edge::exact ? width
                    : place.present ? inside.template prefix<width>(chunk.start())
                                    : 0;
      if (n == width)
        store_raw<width>(to, load_raw<width>(from));
      else
        copy_bytes(to, from, n);
    });
  }
}

TILEPIPE_NAMESPACE_END
