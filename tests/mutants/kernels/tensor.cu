// SPDX-License-Identifier: Apache-2.0
// Tensor copies, from compute capability 9.0: loads in every team, stores, and sources without a
// map. The runner makes the maps.
#include <tilepipe/tile_storer.cuh>

#include "kernels.cuh"

using Mapped = tilepipe::TensorSource<Matrix>;
using Loader = tilepipe::TileLoader<Matrix, tilepipe::Mapped, tilepipe::ZeroFill>;

// Cut: the tiles of edges(). Else tile t of a block is rows of its own.
template <class Team, int Stages, bool Cut>
__device__ void mapped_tiles(const Arguments& v, const Mapped& in) {
  constexpr int rows = Matrix::rows;
  __shared__ tilepipe::Ring<One<Matrix>, Stages> ring[1];
  poison(ring, 1, v.seed);
  const int block = static_cast<int>(blockIdx.x);
  Loader load{in};
  tilepipe::Pipeline pipe{ring[0], Team{}, load};
  pipe.run(
      v.tiles,
      [&](One<Matrix>& s, int t) {
        maybe_late(v.seed, t, before_load);
        if constexpr (Cut)
          pipe.fill(load, s.x, block * rows - 2, t * Matrix::cols - 4);
        else
          pipe.fill(load, s.x, (block * v.tiles + t) * rows, 0);
      },
      [&](const One<Matrix>& s, int t) {
        maybe_late(v.seed, t, before_read);
        emit(pipe, s.x, v.out + (1ll * block * v.tiles + t) * Matrix::size);
      });
}

// Stores by a map whose rows may end within a tile.
template <int Slots>
__device__ void mapped_stores(const Arguments& v, const Mapped& to) {
  constexpr int size = Matrix::size;
  __shared__ tilepipe::StoreRing<Matrix, Slots> ring[1];
  poison(ring, 1, v.seed);
  tilepipe::TileStorer<Matrix, tilepipe::Mapped, tilepipe::Skip> store{to};
  tilepipe::StorePipeline stores{ring[0], tilepipe::Block<128>{}, store};
  for (int t = 0; t < v.tiles; ++t) {
    const int tile = static_cast<int>(blockIdx.x) * v.tiles + t;
    Matrix& y = stores.acquire();
    maybe_late(v.seed, t, before_load);
    for (int i = threadIdx.x; i < size; i += blockDim.x)
      y[i] = 3 * v.in[1ll * tile * size + turned<size>(i)];
    stores.store(tile * Matrix::rows, 0);
  }
}

#define MAPPED(name, ...)                                                               \
  extern "C" __global__ void name(Arguments v, const __grid_constant__ Mapped in,       \
                                  [[maybe_unused]] const __grid_constant__ Mapped to) { \
    __VA_ARGS__;                                                                        \
  }
using Block = tilepipe::Block<128>;
using Roles = tilepipe::Specialized<32, 96>;
MAPPED(tensor__t128u1e512_exact, mapped_tiles<Block, 3, false>(v, in))
MAPPED(tensor_cut__t128u1e512_zero, mapped_tiles<Block, 2, true>(v, in))
MAPPED(tensor_roles__t128u1e512_exact, mapped_tiles<Roles, 3, false>(v, in))
MAPPED(tensor_roles_cut__t128u1e512_zero, mapped_tiles<Roles, 1, true>(v, in))
MAPPED(tensor_empty__t128u1e512_empty, mapped_tiles<Block, 2, false>(v, in))
MAPPED(tensor_empty_roles__t128u1e512_empty, mapped_tiles<Roles, 2, false>(v, in))
MAPPED(tensor_stores__t128u1e512_exact, mapped_stores<2>(v, to))
MAPPED(tensor_stores_cut__t128u1e512_cut, mapped_stores<1>(v, to))
