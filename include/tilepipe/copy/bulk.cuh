// SPDX-License-Identifier: Apache-2.0
// Copies by cp.async.bulk: runs of bytes, issued by one thread or by the lanes of one warp, counted
// on an mbarrier.
#pragma once

#include "../core/loader_traits.hpp"
#include "../ptx/address.cuh"
#include "../ptx/bulk.cuh"
#include "../ptx/fence.cuh"
#include "../ptx/mbarrier.cuh"
#include "cache_hint.cuh"
#include "registers.cuh"
#include "rows.cuh"

TILEPIPE_NAMESPACE_BEGIN

// A run that may be cut by the end of the source: whole chunks of 16 bytes in bulk, which it
// expects itself, and the bytes behind them one by one, fenced, since a later bulk copy may
// overwrite them.
template <bool Hinted>
TILEPIPE_D void bulk_run_cut(unsigned char* to, const unsigned char* from, int bytes, unsigned full,
                             unsigned long long policy) {
  const int in_bulk = bytes & ~15;
  if (in_bulk > 0) {
    ptx::mbarrier_expect_tx(full, static_cast<unsigned>(in_bulk));
    ptx::bulk_load<Hinted>(ptx::shared_address(to), from, static_cast<unsigned>(in_bulk), full,
                           policy);
  }
  if (in_bulk < bytes) {
    copy_bytes(to + in_bulk, from + in_bulk, bytes - in_bulk);
    ptx::fence_proxy_async_shared();
  }
}

// The slice of a tile. All threads of the group call it, converged; one of ranks 0..31 issues, for
// which issuer.issues() is true, or, where those are a warp (WholeWarps) and the tile has several
// runs, that warp. Returns the bytes to be expected on `full` besides those that were expected
// here; what the other lanes wrote or expected is ordered before rank 0, which publishes, goes on.
template <class Traits, class Slice, bool WholeWarps, int G, class Issuer, class Rows>
TILEPIPE_D unsigned bulk_tile(ThreadGroup<G> group, const Issuer& issuer,
                              typename Traits::Tile& tile, const Rows& rows, ByteRange inside,
                              unsigned full) {
  using Tile = typename Traits::Tile;
  constexpr bool exact = Traits::config.edge == Edge::exact;
  constexpr bool hinted = has_cache_hint<Traits>;
  if constexpr (Traits::one_run) {
    constexpr int chunks = Tile::rows * Tile::row_bytes / 16;
    constexpr int begin = Slice::begin(chunks) * 16, bytes = Slice::end(chunks) * 16 - begin;
    if (bytes > 0 && issuer.issues())
      ptx::bulk_load<hinted>(ptx::shared_address(tile.storage + begin), rows(0).start + begin,
                             bytes, full, cache_policy<Traits>());
    return bytes;
  } else {
    constexpr int begin = Slice::begin(Tile::rows), end = Slice::end(Tile::rows);
    const bool by_warp = WholeWarps && end - begin > 1 && group.size() >= 32;
    const int lanes = by_warp ? 32 : 1;
    if (group.rank < lanes) {
      const unsigned long long policy = cache_policy<Traits>();
      for (int r = begin + group.rank; r < end; r += lanes) {
        const RowPlace place = rows(r);
        unsigned char* to = tile.storage + Traits::offset(r, 0);
        if constexpr (exact)
          ptx::bulk_load<hinted>(ptx::shared_address(to), place.start, Tile::row_bytes, full,
                                 policy);
        else if (place.present && inside.first < inside.last)
          bulk_run_cut<hinted>(to + inside.first, place.start + inside.first,
                               inside.last - inside.first, full, policy);
      }
      if (by_warp && !exact) __syncwarp();
    }
    return exact ? (end - begin) * Tile::row_bytes : 0;
  }
}

TILEPIPE_NAMESPACE_END
