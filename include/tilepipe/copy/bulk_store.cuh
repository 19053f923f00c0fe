// SPDX-License-Identifier: Apache-2.0
// Stores of a tile by cp.async.bulk and cp.reduce.async.bulk: runs of bytes, issued by a few
// threads, complete by their bulk groups.
#pragma once

#include "../core/store_path.hpp"
#include "../ptx/address.cuh"
#include "../ptx/bulk_store.cuh"
#include "cache_hint.cuh"
#include "plain_store.cuh"
#include "rows.cuh"

TILEPIPE_NAMESPACE_BEGIN

// Threads that issue: ranks 0 to bulk_issuers() - 1 of a group, each for rows of its own.
template <class Traits>
TILEPIPE_D int bulk_issuers(int group_size) {
  return Traits::one_run ? 1 : min_of(min_of(Traits::Tile::rows, 32), group_size);
}

// bytes, a multiple of 16.
template <class Traits>
TILEPIPE_D void bulk_store_run(unsigned char* to, const unsigned char* from, int bytes,
                               unsigned long long policy) {
  constexpr bool hinted = has_cache_hint<Traits>;
  const unsigned src = ptx::shared_address(from);
  const auto size = static_cast<unsigned>(bytes);
  if constexpr (!Traits::config.add)
    ptx::bulk_store<hinted>(to, src, size, policy);
  else if constexpr (Traits::addend == Addend::u32)
    ptx::bulk_add_u32<hinted>(to, src, size, policy);
  else if constexpr (Traits::addend == Addend::u64)
    ptx::bulk_add_u64<hinted>(to, src, size, policy);
  else if constexpr (Traits::addend == Addend::f16)
    ptx::bulk_add_f16<hinted>(to, src, size, policy);
  else if constexpr (Traits::addend == Addend::bf16)
    ptx::bulk_add_bf16<hinted>(to, src, size, policy);
  else if constexpr (Traits::addend == Addend::f32)
    ptx::bulk_add_f32<hinted>(to, src, size, policy);
  else
    ptx::bulk_add_f64<hinted>(to, src, size, policy);
}

// The tile, by the issuers of the group; others do nothing. What was written to it is fenced by
// each writer, and a barrier has passed. A row that the end of the destination cuts goes in bulk as
// far as whole 16 bytes reach, and byte by byte behind them.
template <class Traits, int G, class Rows>
TILEPIPE_D void bulk_store_tile(ThreadGroup<G> group, const typename Traits::Tile& tile,
                                const Rows& rows, ByteRange inside) {
  using Tile = typename Traits::Tile;
  constexpr bool exact = Traits::config.edge == Edge::exact;
  const int issuers = bulk_issuers<Traits>(group.size());
  if (group.rank >= issuers) return;
  const unsigned long long policy = cache_policy<Traits>();
  if constexpr (Traits::stores_alone) {
    bulk_store_run<Traits>(const_cast<unsigned char*>(rows(0).start), tile.storage,
                           Tile::rows * Tile::row_bytes, policy);
  } else {
    for (int r = group.rank; r < Tile::rows; r += issuers) {
      const RowPlace place = rows(r);
      auto* to = const_cast<unsigned char*>(place.start);
      const unsigned char* from = tile.storage + Traits::offset(r, 0);
      if constexpr (exact) {
        bulk_store_run<Traits>(to, from, Tile::row_bytes, policy);
      } else {
        if (!place.present || inside.first >= inside.last) continue;
        const int cut = inside.first + ((inside.last - inside.first) & ~15);
        if (cut > inside.first)
          bulk_store_run<Traits>(to + inside.first, from + inside.first, cut - inside.first,
                                 policy);
        if constexpr (Traits::config.add)
          add_elements<Traits>(to + cut, from + cut, inside.last - cut);
        else
          copy_bytes(to + cut, from + cut, inside.last - cut);
      }
    }
  }
}

TILEPIPE_NAMESPACE_END
