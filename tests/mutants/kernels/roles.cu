// SPDX-License-Identifier: Apache-2.0
// Roles: full and empty mbarriers, or named barriers below compute capability 8.0.
#include "kernels.cuh"

using Roles = tilepipe::Specialized<32, 96>;
using WideRoles = tilepipe::Specialized<64, 64>;
using Stored = tilepipe::TileLoader<Vector, Via<registers>>;

// One loader fills both tiles of a stage: it stores the first before it fetches the second.
template <class Team, class Policy, int Stages, class Loader>
__device__ void twice(Arguments v) {
  using Tile = typename Loader::TileType;
  using Stage = Two<Tile>;
  __shared__ tilepipe::Ring<Stage, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load};
  pipe.run(
      v.tiles,
      [&](Stage& s, int t) {
        maybe_late(v.seed, t, before_load);
        pipe.fill(load, s.a, (first + t) * Tile::size);
        pipe.fill(load, s.b, (first + t) * Tile::size + (v.in2 - v.in));
      },
      [&](const Stage& s, int t) {
        maybe_late(v.seed, t, before_read);
        emit(pipe, s.a, s.b, v.out + (first + t) * Tile::size);
      });
}

KERNEL(roles_registers_twice__t128u1e512_pair, twice<Roles, Default, 2, Stored>)
KERNEL(registers_twice__t128u1e512_pair, twice<tilepipe::Block<128>, Default, 2, Stored>)
KERNEL(roles_registers__t128u1e512_exact, stream<Roles, Default, 3, Vector, Via<registers>>)
KERNEL(roles_registers_s1__t128u1e512_exact, stream<WideRoles, Default, 1, Vector, Via<registers>>)
KERNEL(roles_registers_parts__t128u1e512_pair, parts<Roles, Default, 3, Stored>)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using Copied = tilepipe::TileLoader<Vector, Via<cp_async>>;
KERNEL(roles_cp_async__t128u1e512_exact, stream<WideRoles, Default, 3, Vector, Via<cp_async>>)
KERNEL(roles_cp_async_s1__t128u1e512_exact, stream<Roles, Default, 1, Vector, Via<cp_async>>)
KERNEL(roles_cp_async_skip__t128u1e512_skip,
       edges<Roles, Default, 3, Matrix, tilepipe::Skip, Via<cp_async>>)
KERNEL(roles_cp_async_parts__t128u1e512_pair, parts<WideRoles, Default, 3, Copied>)
KERNEL(roles_mixed__t128u1e512_pair, pair<WideRoles, Default, 2, Copied, Stored>)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Of seven stages six are handed over without a fill; their tiles come from the source itself.
template <class Team, int Stages, class... How>
__device__ void sparse(Arguments v) {
  using Stage = One<Vector>;
  __shared__ tilepipe::Ring<Stage, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  tilepipe::TileLoader<Vector, How...> load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{}, load};
  pipe.run(
      v.tiles,
      [&](Stage& s, int t) {
        maybe_late(v.seed, t, before_load);
        if (t % 7 == 0) pipe.fill(load, s.x, (first + t) * Vector::size);
      },
      [&](const Stage& s, int t) {
        maybe_late(v.seed, t, before_read);
        const Word* tile = t % 7 == 0 ? &s.x[0] : v.in + (first + t) * Vector::size;
        for (int i = pipe.rank(); i < Vector::size; i += pipe.size())
          v.out[(first + t) * Vector::size + i] = 3 * tile[turned<Vector::size>(i)];
      });
}

KERNEL(roles_bulk_sparse_s1__t128u1e512_exact, sparse<Roles, 1, Via<bulk>>)
KERNEL(roles_bulk_sparse__t128u1e512_exact, sparse<Roles, 2, Via<bulk>>)
using InBulk = tilepipe::TileLoader<Vector, Via<bulk>>;
KERNEL(roles_bulk__t128u1e512_exact, stream<Roles, Default, 3, Vector, Via<bulk>>)
KERNEL(roles_bulk_s1__t128u1e512_exact, stream<Roles, Default, 1, Vector, Via<bulk>>)
KERNEL(roles_bulk_rows__t128u1e512_skip,
       edges<WideRoles, Default, 3, Matrix, tilepipe::Skip, Via<bulk>>)
KERNEL(roles_bulk_parts__t128u1e512_pair, parts<Roles, Default, 3, InBulk>)
#endif
