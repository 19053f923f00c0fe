// SPDX-License-Identifier: Apache-2.0
// Copies by cp.async.bulk.tensor: boxes of a mapped source, issued by one thread or by the lanes of
// one warp, counted on an mbarrier.
#pragma once

#include "../core/loader_traits.hpp"
#include "../core/tensor_map.hpp"
#include "../ptx/address.cuh"
#include "../ptx/bulk_tensor.cuh"
#include "cache_hint.cuh"

TILEPIPE_NAMESPACE_BEGIN

// A coordinate as the instruction takes it: 32 bits and a sign. What does not fit is outside of
// every source that has a map, and stays outside: at a multiple of 16 elements, since copies start
// at multiples of 16 bytes in a row, wherever they are.
TILEPIPE_D int tensor_coordinate(index_t i, bool narrow) {
  const int low = static_cast<int>(i);
  if (narrow || low == i) return low;
  return i < 0 ? -2147483647 - 1 : 2147483647 - 15;
}

// Box i of a tile whose first element has the coordinates `at`, to shared address `storage` +
// i * bytes. By one thread.
template <class Traits, class Tile = typename Traits::Tile>
TILEPIPE_D void tensor_box(unsigned storage, const TensorMap& map, const int (&at)[Tile::rank],
                           int i, unsigned full, unsigned long long policy) {
  using Boxes = TensorBoxes<Tile>;
  constexpr int rank = Tile::rank;
  int c[rank];
#pragma unroll
  for (int d = 0; d < rank; ++d)  // beyond the range of int it wraps, and is outside as well
    c[rank - 1 - d] =
        static_cast<int>(static_cast<unsigned>(at[d]) + static_cast<unsigned>(Boxes::start(i, d)));
  ptx::tensor_load<has_cache_hint<Traits>>(storage + static_cast<unsigned>(i * Boxes::bytes), &map,
                                           full, c, policy);
}

// The slice of a tile. All threads of the group call it, converged; one of ranks 0..31 issues, for
// which issuer.issues() is true, or, where those are a warp (WholeWarps) and the boxes are many,
// that warp. Returns the bytes to be expected on `full`: those of whole boxes, what is outside the
// source included.
template <class Traits, class Slice, bool WholeWarps, int G, class Issuer>
TILEPIPE_D unsigned tensor_tile(ThreadGroup<G> group, const Issuer& issuer,
                                typename Traits::Tile& tile, const TensorMap& map,
                                const Coordinates<Traits::Tile::rank>& first, unsigned full) {
  using Tile = typename Traits::Tile;
  using Boxes = TensorBoxes<Tile>;
  constexpr int begin = Slice::begin(Boxes::boxes), end = Slice::end(Boxes::boxes);
  constexpr bool few = end - begin <= few_boxes;
  const bool by_warp = WholeWarps && !few && group.size() >= 32;
  if (by_warp ? group.rank < 32 : issuer.issues()) {
    int at[Tile::rank];
#pragma unroll
    for (int d = 0; d < Tile::rank; ++d)
      at[d] = tensor_coordinate(d == Tile::rank - 1 ? first.at[d] * Boxes::units : first.at[d],
                                first.narrow && (d < Tile::rank - 1 || Boxes::units == 1));
    const unsigned storage = ptx::shared_address(tile.storage);
    const unsigned long long policy = cache_policy<Traits>();
    if constexpr (few) {
#pragma unroll
      for (int i = begin; i < end; ++i) tensor_box<Traits>(storage, map, at, i, full, policy);
    } else {
#pragma unroll 1
      for (int i = begin + (by_warp ? group.rank : 0); i < end; i += by_warp ? 32 : 1)
        tensor_box<Traits>(storage, map, at, i, full, policy);
    }
  }
  return static_cast<unsigned>((end - begin) * Boxes::bytes);
}

TILEPIPE_NAMESPACE_END
