// SPDX-License-Identifier: Apache-2.0
// Copies by cp.async: chunks of 4, 8 or 16 bytes, each thread its own.
#pragma once

#include "../core/loader_traits.hpp"
#include "../ptx/address.cuh"
#include "../ptx/cp_async.cuh"
#include "registers.cuh"
#include "rows.cuh"

TILEPIPE_NAMESPACE_BEGIN

// Width bytes from `from` to the shared address `to`, both aligned to Width. 16 bytes go past L1
// (.cg) unless the loader says otherwise; smaller chunks have .ca only.
template <int Width, class Traits>
TILEPIPE_D void cp_async_chunk(unsigned to, const unsigned char* from) {
  if constexpr (Width == 16 && Traits::config.cache != CacheOperator::all)
    ptx::cp_async_cg<Width, Traits::config.l2_prefetch, false>(to, from);
  else
    ptx::cp_async_ca<Width, Traits::config.l2_prefetch, false>(to, from);
}
// The first n of them, zeros behind; 0 reads nothing.
template <int Width, class Traits>
TILEPIPE_D void cp_async_chunk(unsigned to, const unsigned char* from, int n) {
  if constexpr (Width == 16 && Traits::config.cache != CacheOperator::all)
    ptx::cp_async_cg<Width, Traits::config.l2_prefetch, true>(to, from, static_cast<unsigned>(n));
  else
    ptx::cp_async_ca<Width, Traits::config.l2_prefetch, true>(to, from, static_cast<unsigned>(n));
}

// The chunk of each row that the source ends within: its first bytes, and zeros or nothing behind.
// Not unrolled: ptxas would run all of it under a predicate, instead of jumping over it.
template <class Traits, int G, class Rows>
TILEPIPE_D void copy_cut_chunks(ThreadGroup<G> group, typename Traits::Tile& tile, const Rows& rows,
                                ByteRange inside) {
  const int n = inside.last % Traits::width, start = inside.last - n;
  TILEPIPE_NO_UNROLL
  for (int r = group.rank; r < Traits::Tile::rows; r += group.size()) {
    const RowPlace place = rows(r);
    unsigned char* to = tile.storage + Traits::offset(r, start);
    if constexpr (Traits::config.edge == Edge::zero_fill)
      cp_async_chunk<Traits::width, Traits>(ptx::shared_address(to), place.start + start,
                                            place.present ? n : 0);
    else if (place.present)
      copy_bytes(to, place.start + start, n);
  }
}

// The slice of a tile, by all threads of the group. Chunks are copied whole or not at all, which
// costs a predicate and no arithmetic; cp.async of a number of bytes known at run time takes five
// instructions more. The few that an edge cuts go with the last slice, on a branch of their own.
template <class Traits, class Slice, int G, class Rows>
TILEPIPE_D void cp_async_tile(ThreadGroup<G> group, typename Traits::Tile& tile, const Rows& rows,
                              ByteRange inside) {
  constexpr int width = Traits::width;
  constexpr int element = static_cast<int>(sizeof(typename Traits::T));
  constexpr Edge edge = Traits::config.edge;
  const unsigned storage = ptx::shared_address(tile.storage);
  Traits::Plan::template for_each<Slice>(group, [&](const typename Traits::Plan::Chunk& chunk) {
    const RowPlace place = rows(chunk.top(), chunk.below);
    const unsigned to = storage + Traits::offset(chunk);
    const unsigned char* from = ptx::opaque(place.start + chunk.byte) + chunk.beyond;
    if constexpr (edge == Edge::exact) {
      cp_async_chunk<width, Traits>(to, from);
    } else {
      const bool whole = place.present && inside.template whole<width>(chunk.start());
      if constexpr (edge == Edge::skip) {
        if (whole) cp_async_chunk<width, Traits>(to, from);
      } else if (element % width == 0 || !inside.template cuts<width>(chunk.start())) {
        cp_async_chunk<width, Traits>(to, from, whole ? width : 0);  // 0: nothing is read
      }
    }
  });
  if constexpr (edge != Edge::exact && Slice::index == Slice::count - 1)
    if (inside.template cuts_any<width, element>())
      copy_cut_chunks<Traits>(group, tile, rows, inside);
}

TILEPIPE_NAMESPACE_END
