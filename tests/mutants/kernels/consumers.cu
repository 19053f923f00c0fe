// SPDX-License-Identifier: Apache-2.0
// Several groups of computing threads on the same stages; and a producer that runs ahead of them.
#include "kernels.cuh"

// Every group reads every stage, and writes every n-th row of its own.
template <class Team, class Policy, int Stages, class Tile, class... Options>
__device__ void shared_stages(Arguments v) {
  __shared__ tilepipe::Ring<One<Tile>, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  tilepipe::TileLoader<Tile, Options...> load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load};
  const auto run = [&](int begin, int end) {
    pipe.run(
        end - begin,
        [&](One<Tile>& s, int t) {
          maybe_late(v.seed, begin + t, before_load);
          pipe.fill(load, s.x, (first + begin + t) * Tile::size);
        },
        [&](const One<Tile>& s, int t) {
          maybe_late(v.seed, begin + t, before_read);
          Word* out = v.out + (first + begin + t) * Tile::size;
          for (int i = pipe.group() * pipe.size() + pipe.rank(); i < Tile::size;
               i += pipe.groups * pipe.size())
            out[i] = 3 * s.x[turned<Tile::size>(i)];
          pipe.sync();
        });
  };
  run(0, v.tiles / 2);
  pipe.drain();
  run(v.tiles / 2, v.tiles);
}

// Tiles go to the groups in turns of Length.
template <class Team, class Policy, int Length, int Stages, class Tile, class... Options>
__device__ void in_turns(Arguments v) {
  __shared__ tilepipe::Ring<One<Tile>, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  tilepipe::TileLoader<Tile, Options...> load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{Length}, Policy{}, load};
  const auto run = [&](int begin, int end) {
    pipe.run(
        end - begin,
        [&](One<Tile>& s, int t) {
          maybe_late(v.seed, begin + t, before_load);
          pipe.fill(load, s.x, (first + begin + t) * Tile::size);
        },
        [&](const One<Tile>& s, int t) {
          maybe_late(v.seed, begin + t, before_read);
          emit(pipe, s.x, v.out + (first + begin + t) * Tile::size);
          if (t % Length == Length - 1) pipe.sync();
        });
  };
  run(0, v.tiles / 2);
  pipe.drain();
  run(v.tiles / 2, v.tiles);
}

// Output tiles of three tiles each. When the last of one is computed, its warps wait until the
// producer loads the tile Stages - 1 further on, which belongs to the next: they wait for ever if
// anything in the roles makes the producer wait for them.
template <class Team, class Policy, int Stages, class Tile, class... Options>
__device__ void ahead(Arguments v) {
  constexpr int threads = Team::loading_threads + Team::computing_threads;
  __shared__ tilepipe::Ring<One<Tile>, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  tilepipe::TileLoader<Tile, Options...> load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load};
  const auto met = [&](int t) { return t % 3 == 2 && t + Stages - 1 < v.tiles; };
  pipe.run(
      v.tiles,
      [&](One<Tile>& s, int t) {
        pipe.fill(load, s.x, (first + t) * Tile::size);
        if (t >= Stages - 1 && met(t - (Stages - 1)))
          asm volatile("barrier.arrive 14, %0;" ::"n"(threads) : "memory");
      },
      [&](const One<Tile>& s, int t) {
        if (met(t)) asm volatile("barrier.sync 14, %0;" ::"n"(threads) : "memory");
        maybe_late(v.seed, t, before_read);
        emit(pipe, s.x, v.out + (first + t) * Tile::size);
      });
}

using Three = tilepipe::SpecializedGroups<32, 32, 3>;
using Two64 = tilepipe::SpecializedGroups<32, 64, 2>;
using Turns2 = tilepipe::SpecializedTurns<32, 32, 2>;
using Turns3 = tilepipe::SpecializedTurns<32, 32, 3>;
using Turns64 = tilepipe::SpecializedTurns<32, 64, 2>;
using OneGroup = tilepipe::Specialized<32, 96>;
KERNEL(roles_registers_groups3__t128u1e512_exact,
       shared_stages<Three, Default, 3, Vector, Via<registers>>)
KERNEL(roles_registers_turns3__t128u1e512_exact,
       in_turns<Turns3, Default, 2, 2, Vector, Via<registers>>)
KERNEL(roles_registers_ahead__t128u1e512_exact, ahead<OneGroup, Default, 3, Vector, Via<registers>>)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
KERNEL(roles_cp_async_groups2__t160u1e512_exact,
       shared_stages<Two64, Default, 2, Vector, Via<cp_async>>)
KERNEL(roles_cp_async_turns2__t96u1e512_exact,
       in_turns<Turns2, Default, 3, 2, Vector, Via<cp_async>>)
KERNEL(roles_cp_async_ahead__t128u1e512_exact, ahead<OneGroup, Default, 3, Vector, Via<cp_async>>)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
KERNEL(roles_bulk_groups3__t128u1e512_exact, shared_stages<Three, Default, 3, Vector, Via<bulk>>)
KERNEL(roles_bulk_turns2__t160u1e512_exact, in_turns<Turns64, Default, 4, 3, Vector, Via<bulk>>)
KERNEL(roles_bulk_turns3_s1__t128u1e512_exact, in_turns<Turns3, Default, 1, 1, Vector, Via<bulk>>)
KERNEL(roles_bulk_ahead__t128u1e512_exact, ahead<OneGroup, Default, 4, Vector, Via<bulk>>)
#endif
