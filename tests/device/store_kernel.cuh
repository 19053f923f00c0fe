// SPDX-License-Identifier: Apache-2.0
// What kernels that store tiles share: places, and slots written position by position.
#pragma once
#include <tilepipe/tile_storer.cuh>

#include "copy_kernel.cuh"

namespace tilepipe_test {

template <class Storer>
__device__ Storer make_storer(unsigned char* out, const Geometry& g) {
  using Tile = typename Storer::TileType;
  auto* data = reinterpret_cast<typename Tile::value_type*>(out);
  if constexpr (Tile::rank == 1) {
    return Storer{data, g.extent[2]};
  } else if constexpr (Tile::rank == 2) {
    return Storer{data, g.extent[1], g.extent[2], g.row_pitch};
  } else {
    return Storer{data, g.extent[0], g.extent[1], g.extent[2], g.row_pitch, g.slice_pitch};
  }
}
template <class Tile, class Stores>
__device__ void store_to(Stores& stores, const Geometry& g, long long number) {
  const Place p = place_of<Tile>(g, number);
  if constexpr (Tile::rank == 1) {
    stores.store(p.at[2]);
  } else if constexpr (Tile::rank == 2) {
    stores.store(p.at[1], p.at[2]);
  } else {
    stores.store(p.at[0], p.at[1], p.at[2]);
  }
}

template <class Team>
__device__ bool computes() {
  if constexpr (TeamOf<Team>::specialized) return !TeamOf<Team>::produces();
  return true;
}

// Every element of the team's tiles gets its place's bytes, xor those of `x` if there is one.
// Neighbours are written by different threads, rank r writing element (r + tile) % size of each
// round: so no thread stores what it wrote itself.
template <class Tile, class Team>
__device__ void write_slot(Tile& slot, const Team& team, long long number, const Tile* x) {
  const int size = team.computing_size();
  const int mine = static_cast<int>((team.computing_rank() + number) % size);
#pragma unroll 1
  for (int i = mine; i < Tile::size; i += size) {
    auto* to = reinterpret_cast<unsigned char*>(&slot[i]);
    const auto* from = reinterpret_cast<const unsigned char*>(x == nullptr ? nullptr : &(*x)[i]);
#pragma unroll 1
    for (int b = 0; b < static_cast<int>(sizeof(typename Tile::value_type)); ++b)
      to[b] =
          static_cast<unsigned char>((from == nullptr ? 0 : from[b]) ^ place_byte(number, i, b));
  }
}

// Tile number n, whose elements are (n + i) % 4, is added to place n % g.across of a row of tiles.
// By all threads of a block.
template <class Tile, class Stores>
__device__ void add_numbers(Stores& stores, const Geometry& g, long long number) {
  using T = typename Tile::value_type;
  Tile& slot = stores.acquire();
  for (int i = static_cast<int>(block_rank()); i < Tile::size; i += static_cast<int>(blockDim.x))
    slot[i] = T(static_cast<float>((number + i) % 4));
  const long long col = g.first[2] + number % g.across * Tile::cols;
  if constexpr (Tile::rank == 1)
    stores.store(col);
  else
    stores.store(g.first[1], col);
}

}  // namespace tilepipe_test
