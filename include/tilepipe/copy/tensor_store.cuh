// SPDX-License-Identifier: Apache-2.0
// Stores of a tile by cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: boxes to a mapped
// destination, issued by a few threads, complete by their bulk groups.
#pragma once

#include "../core/store_path.hpp"
#include "../core/tensor_map.hpp"
#include "../ptx/address.cuh"
#include "../ptx/bulk_tensor_store.cuh"
#include "cache_hint.cuh"
#include "rows.cuh"

TILEPIPE_NAMESPACE_BEGIN

// Whether the instruction can store a tile of which the bytes `inside` of each row are inside: its
// start has a place in the map, which negative coordinates have not; and rows that are cut end with
// a chunk of 16 bytes, since all of a chunk that is partly inside is written or added (seen on an
// H200).
template <int Rank>
TILEPIPE_D bool has_tensor_place(const Coordinates<Rank>& first, ByteRange inside) {
  bool has = inside.last % 16 == 0;
#pragma unroll
  for (int d = 0; d < Rank; ++d) has = has && first.at[d] >= 0 && first.at[d] < 2147483647 / 64;
  return has;
}

// The tile, by ranks 0 to issuers - 1 of a group, each for boxes of its own; others do nothing.
// What was written to it is fenced by each writer, and a barrier has passed.
template <class Traits, int G>
TILEPIPE_D void tensor_store_tile(ThreadGroup<G> group, int issuers,
                                  const typename Traits::Tile& tile, const TensorMap& map,
                                  const Coordinates<Traits::Tile::rank>& first) {
  using Boxes = TensorBoxes<typename Traits::Tile>;
  constexpr int rank = Traits::Tile::rank;
  constexpr bool hinted = has_cache_hint<Traits>;
  if (group.rank >= issuers) return;
  const unsigned long long policy = cache_policy<Traits>();
  const unsigned storage = ptx::shared_address(tile.storage);
#pragma unroll 1
  for (int i = group.rank; i < Boxes::boxes; i += issuers) {
    int c[rank];  // fastest first
#pragma unroll
    for (int d = 0; d < rank; ++d)
      c[rank - 1 - d] =
          static_cast<int>(first.at[d] * (d == rank - 1 ? Boxes::units : 1)) + Boxes::start(i, d);
    const unsigned from = storage + static_cast<unsigned>(i * Boxes::bytes);
    if constexpr (Traits::config.add)
      ptx::tensor_add<hinted>(&map, from, c, policy);
    else
      ptx::tensor_store<hinted>(&map, from, c, policy);
  }
}

TILEPIPE_NAMESPACE_END
