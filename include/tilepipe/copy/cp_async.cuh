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

// The slice of a tile, by all threads of the group. `base` is an address inside the source, for
// copies that read nothing.
template <class Traits, class Slice, int G, class Rows>
TILEPIPE_D void cp_async_tile(ThreadGroup<G> group, typename Traits::Tile& tile, const Rows& rows,
                              ByteRange inside, [[maybe_unused]] const void* base) {
  constexpr int width = Traits::width;
  constexpr Edge edge = Traits::config.edge;
  const unsigned storage = ptx::shared_address(tile.storage);
  Traits::Plan::template for_each<Slice>(group, [&](const typename Traits::Plan::Chunk& chunk) {
    const RowPlace place = rows(chunk.row);
    const unsigned to = storage + Traits::offset(chunk.row, chunk.start());
    if constexpr (edge == Edge::exact) {
      cp_async_chunk<width, Traits>(to, ptx::opaque(place.start + chunk.byte) + chunk.beyond);
    } else {
      const int n = place.present ? inside.template prefix<width>(chunk.start()) : 0;
      if constexpr (edge == Edge::zero_fill) {
        const unsigned char* from =
            n > 0 ? chunk.in(place.start) : static_cast<const unsigned char*>(base);
        cp_async_chunk<width, Traits>(to, from, n);
      } else if (n == width) {
        cp_async_chunk<width, Traits>(to, chunk.in(place.start));
      } else {
        copy_bytes(tile.storage + Traits::offset(chunk.row, chunk.start()), chunk.in(place.start),
                   n);
      }
    }
  });
}

TILEPIPE_NAMESPACE_END
