// SPDX-License-Identifier: Apache-2.0
// The ends of runs and pipelines: what has landed behind run() and leave(), what drain() drops.
#include "reuse.cuh"

template <class Team, class Loader>
__device__ void landed_in_roles(Arguments v) {
  __shared__ tilepipe::Ring<One<Vector>, 3> ring[1];
  poison(ring, 1, v.seed);
  landed<Loader>(v, ring[0], Team{}, Default{});
}

template <class Team, class Policy, class Loader>
__device__ void left(Arguments v) {
  __shared__ tilepipe::Ring<One<Vector>, 3> ring[1];
  poison(ring, 1, v.seed);
  left_in_flight<Loader>(v, ring[0], Team{}, Policy{});
}

// Every fourth tile is still held when drain() comes; tiles are in flight then, filled and not
// committed, or acquired alone. In roles a producer may wait for the stage that is held. Then the
// memory is used for something else.
template <class Team, class Policy, class Loader>
__device__ void dropped(Arguments v) {
  using Tile = typename Loader::TileType;
  constexpr bool roles = has_roles<Team>;
  __shared__ tilepipe::Ring<One<Tile>, 3> ring[1];
  poison(ring, 1, v.seed);
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load};
  const long long first = 1ll * blockIdx.x * v.tiles;
  const auto fill = [&](int t) {
    pipe.producer_acquire();
    One<Tile>& s = pipe.producer_acquire();  // the same stage
    maybe_late(v.seed, t, before_load);
    pipe.fill(load, s.x, (first + t % v.tiles) * Tile::size);
  };
  const auto commit = [&] {
    pipe.producer_commit();
    pipe.producer_commit();  // nothing is filled, and nothing done
  };
  for (int t = 0; t < v.tiles; ++t) {
    const bool last = t % 4 == 3;
    if (!roles || pipe.is_producer()) {
      fill(t);
      commit();
    }
    if (!roles || !pipe.is_producer()) {
      const One<Tile>& s = pipe.consumer_wait();
      maybe_late(v.seed, t, before_read, 9000);
      emit(pipe, s.x, v.out + (first + t) * Tile::size);
      if (!last) pipe.consumer_release();
    }
    if (!last) continue;
    if (!roles || pipe.is_producer()) {
      const int round = t / 4 % 4;
      fill(t + 37);
      if (round != 0) commit();
      if (round == 1) pipe.producer_acquire();
      if (round == 3) fill(t + 74);
      if (roles && round == 3) {
        commit();
        fill(t + 111);
      }
    }
    pipe.drain();
    use_memory(ring[0].stage, v.seed, t, v.out + first * Tile::size);
    pipe.resume();
  }
}

// A pipeline for each tile, on stages that threads have just written to.
template <class Team, class Policy, class Loader>
__device__ void begun(Arguments v) {
  __shared__ tilepipe::Ring<One<Vector>, 2> ring[1];
  poison(ring, 1, v.seed);
  for (int t = 0; t < v.tiles; ++t) {
    write_stages(ring[0].stage, v.seed, t);
    Loader load{v.in};
    tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load};
    const long long at = (1ll * blockIdx.x * v.tiles + t) * Vector::size;
    pipe.run(
        1, [&](One<Vector>& s, int) { pipe.fill(load, s.x, at); },
        [&](const One<Vector>& s, int) { emit(pipe, s.x, v.out + at); });
    pipe.close();
  }
}

// Runs that could stop, of a tile each, and a drain() behind each, when compute is late.
template <class Team, class Loader>
__device__ void ended(Arguments v) {
  __shared__ tilepipe::Ring<One<Vector>, 1> ring[1];
  poison(ring, 1, v.seed);
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{}, load};
  for (int t = 0; t < v.tiles; ++t) {
    const long long at = (1ll * blockIdx.x * v.tiles + t) * Vector::size;
    pipe.run(
        1, [&](One<Vector>& s, int) { pipe.fill(load, s.x, at); },
        [&](const One<Vector>& s, int) {
          emit(pipe, s.x, v.out + at);
          maybe_late(v.seed, t, before_read);
          return tilepipe::go;
        });
    pipe.drain();
  }
}

// Groups of computing threads drop what nobody has computed with.
template <class Loader, class Team>
__device__ void dropped_in_groups(Arguments v, const Team& team) {
  __shared__ tilepipe::Ring<One<Vector>, 3> ring[1];
  poison(ring, 1, v.seed);
  two_runs<Loader>(v, ring[0], team, Default{});
}

// The stages that an observer is told of, where others are held or were dropped.
struct Order {
  int* wrong;
  int held = 0, oldest = 0;
  TILEPIPE_D void begin(const tilepipe::PipelineInfo&) {}
  TILEPIPE_D void acquire(int) {}
  TILEPIPE_D void issue(int, int) {}
  TILEPIPE_D void commit(int, int) {}
  TILEPIPE_D void wait_begin(int, int) {}
  TILEPIPE_D void wait_end(int stage, int) {
    if (held++ == 0) oldest = stage;
  }
  TILEPIPE_D void release(int stage) {
    if (stage != oldest) *wrong = 1;
    oldest = (stage + 1) % 3;
    --held;
  }
  TILEPIPE_D void drain() { held = 0; }
  TILEPIPE_D void end() {}
};
template <class Loader>
__device__ void observed(Arguments v) {
  __shared__ tilepipe::Ring<One<Vector>, 3> ring[1];
  __shared__ int wrong;
  if (threadIdx.x == 0) wrong = 0;
  poison(ring, 1, v.seed);
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring[0], tilepipe::Block<128>{},
                          tilepipe::ObserveBy<Order>{Order{&wrong}}, load};
  const long long first = 1ll * blockIdx.x * v.tiles;
  for (int t = 0; t < v.tiles; ++t) {
    pipe.fill(load, pipe.producer_acquire().x, (first + t) * Vector::size);
    pipe.producer_commit();
    emit(pipe, pipe.consumer_wait().x, v.out + (first + t) * Vector::size);
    if (t % 4 != 3) pipe.consumer_release();
    if (t % 4 == 3) {
      pipe.fill(load, pipe.producer_acquire().x, first * Vector::size);
      pipe.producer_commit();
      pipe.drain();
    }
  }
  own_barrier();
  if (wrong != 0) v.out[first * Vector::size] = 1;
}

using Block = tilepipe::Block<128>;
using Roles = tilepipe::Specialized<64, 64>;
using Stored = tilepipe::TileLoader<Vector, Via<registers>>;
KERNEL(dropped_registers__t128u1e512_exact, dropped<Block, By<groups>, Stored>)
KERNEL(dropped_roles_large__t128u1e2048_exact,
       dropped<tilepipe::Specialized<32, 96>, Default,
               tilepipe::TileLoader<tilepipe::Tile<Word, 2048>, Via<registers>>>)
KERNEL(begun_registers__t128u1e512_exact, begun<Block, By<groups>, Stored>)
extern "C" __global__ void dropped_groups2__t160u1e512_exact(Arguments v) {
  dropped_in_groups<Stored>(v, tilepipe::SpecializedGroups<32, 64, 2>{});
}
extern "C" __global__ void dropped_turns2__t160u1e512_exact(Arguments v) {
  dropped_in_groups<Stored>(v, tilepipe::SpecializedTurns<32, 64, 2>{3});
}
KERNEL(dropped_roles_registers__t128u1e512_exact, dropped<Roles, Default, Stored>)
KERNEL(left_registers__t128u1e512_exact, left<Block, By<groups>, Stored>)
KERNEL(observed_registers__t128u1e512_exact, observed<Stored>)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using Copied = tilepipe::TileLoader<Vector, Via<cp_async>>;
KERNEL(dropped_groups__t128u1e512_exact, dropped<Block, By<groups>, Copied>)
KERNEL(dropped_mbarrier__t128u1e512_exact, dropped<Block, By<mbarrier>, Copied>)
KERNEL(dropped_stores__t128u1e512_exact, dropped<Block, By<mbarrier>, Stored>)
KERNEL(begun_groups__t128u1e512_exact, begun<Block, By<groups>, Copied>)
KERNEL(begun_mbarrier__t128u1e512_exact, begun<Block, By<mbarrier>, Copied>)
KERNEL(ended_roles_cp_async__t128u1e512_exact, ended<Roles, Copied>)
KERNEL(dropped_roles_cp_async__t128u1e512_exact, dropped<Roles, Default, Copied>)
KERNEL(landed_roles_cp_async__t128u1e512_exact, landed_in_roles<Roles, Copied>)
KERNEL(left_groups__t128u1e512_exact, left<Block, By<groups>, Copied>)
KERNEL(left_mbarrier__t128u1e512_exact, left<Block, By<mbarrier>, Copied>)
KERNEL(left_roles_cp_async__t128u1e512_exact, left<Roles, Default, Copied>)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using InBulk = tilepipe::TileLoader<Vector, Via<bulk>>;
KERNEL(dropped_bulk__t128u1e512_exact, dropped<Block, Default, InBulk>)
KERNEL(begun_roles_bulk__t128u1e512_exact, begun<Roles, Default, InBulk>)
KERNEL(ended_roles_bulk__t128u1e512_exact, ended<Roles, InBulk>)
KERNEL(dropped_roles_bulk__t128u1e512_exact, dropped<Roles, Default, InBulk>)
KERNEL(landed_roles_bulk__t128u1e512_exact, landed_in_roles<Roles, InBulk>)
KERNEL(left_bulk__t128u1e512_exact, left<Block, Default, InBulk>)
KERNEL(left_roles_bulk__t128u1e512_exact, left<Roles, Default, InBulk>)
#endif
