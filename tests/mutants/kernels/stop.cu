// SPDX-License-Identifier: Apache-2.0
// Runs that compute ends early.
#include "kernels.cuh"

// run() that compute ends after three quarters of the tiles; the pipeline is used again for the
// rest.
template <class Team, class Policy, int Stages, class Loader>
__device__ void stopped(Arguments v) {
  using Tile = typename Loader::TileType;
  using Stage = One<Tile>;
  __shared__ tilepipe::Ring<Stage, Stages> ring[1];
  poison(ring, 1, v.seed);
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load};
  const int most = (v.tiles * 3 + 3) / 4;
  for (int begin = 0; begin < v.tiles; begin += most) {
    const long long first = 1ll * blockIdx.x * v.tiles + begin;
    pipe.run(
        v.tiles - begin,
        [&](Stage& s, int t) {
          maybe_late(v.seed, t, before_load);
          pipe.fill(load, s.x, (first + t) * Tile::size);
          // All threads that load stop at the same tile.
          if (t >= most + Stages) v.out[first * Tile::size] = 1;
        },
        [&](const Stage& s, int t) {
          maybe_late(v.seed, t, before_read);
          emit(pipe, s.x, v.out + (first + t) * Tile::size);
          return t + 1 == most ? tilepipe::stop : tilepipe::go;
        });
  }
}

using Block = tilepipe::Block<128>;
using Roles = tilepipe::Specialized<64, 64>;
using Stored = tilepipe::TileLoader<Vector, Via<registers>>;
KERNEL(stop_registers__t128u1e512_exact, stopped<Block, Default, 3, Stored>)
KERNEL(stop_roles_registers__t128u1e512_exact, stopped<Roles, Default, 3, Stored>)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using Copied = tilepipe::TileLoader<Vector, Via<cp_async>>;
KERNEL(stop_groups__t128u1e512_exact, stopped<Block, By<groups>, 4, Copied>)
KERNEL(stop_mbarrier__t128u1e512_exact, stopped<Block, By<mbarrier>, 3, Copied>)
KERNEL(stop_roles_cp_async__t128u1e512_exact, stopped<Roles, Default, 3, Copied>)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using InBulk = tilepipe::TileLoader<Vector, Via<bulk>>;
KERNEL(stop_bulk__t128u1e512_exact, stopped<Block, Default, 3, InBulk>)
KERNEL(stop_roles_bulk__t128u1e512_exact, stopped<Roles, Default, 3, InBulk>)
#endif
