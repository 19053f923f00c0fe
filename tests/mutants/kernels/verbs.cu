// SPDX-License-Identifier: Apache-2.0
// The verbs: a window of held stages, slices, drain, resume, close and leave.
#include "reuse.cuh"

// Two stages are held while the third is filled; every tile is read when it is the older one.
template <class Policy, class Loader>
__device__ void window(Arguments v) {
  using Tile = typename Loader::TileType;
  using Stage = One<Tile>;
  __shared__ tilepipe::Ring<Stage, 4> ring[1];
  poison(ring, 1, v.seed);
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring[0], tilepipe::Block<128>{}, Policy{}, load};
  const long long first = 1ll * blockIdx.x * v.tiles;
  auto fill = [&](int t) {
    Stage& s = pipe.producer_acquire();
    maybe_late(v.seed, t, before_load);
    pipe.fill(tilepipe::slice<0, 2>, load, s.x, (first + t) * Tile::size);
    pipe.fill(tilepipe::slice<1, 2>, load, s.x, (first + t) * Tile::size);
    pipe.producer_commit();
  };
  fill(0);
  fill(1);
  const Stage* older = &pipe.consumer_wait();
  for (int t = 0; t < v.tiles; ++t) {
    if (t + 2 < v.tiles) fill(t + 2);
    const Stage* newer = t + 1 < v.tiles ? &pipe.consumer_wait() : nullptr;
    maybe_late(v.seed, t, before_read);
    emit(pipe, older->x, v.out + (first + t) * Tile::size);
    pipe.consumer_release();
    older = newer;
  }
  pipe.drain();
}

// Acquire, fill, commit, wait, release: one tile at a time, then the memory is used for something
// else, written by other threads than those that copy, and the pipeline goes on.
template <class Team, class Policy, class Loader>
__device__ void reused(Arguments v) {
  using Tile = typename Loader::TileType;
  using Stage = One<Tile>;
  __shared__ tilepipe::Ring<Stage, 2> ring[1];
  poison(ring, 1, v.seed);
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load};
  const long long first = 1ll * blockIdx.x * v.tiles;
  auto fill = [&](int t) {
    Stage& s = pipe.producer_acquire();
    maybe_late(v.seed, t, before_load);
    pipe.fill(load, s.x, (first + t) * Tile::size);
    pipe.producer_commit();
  };
  auto read = [&](int t) {
    const Stage& s = pipe.consumer_wait();
    maybe_late(v.seed, t, before_read);
    emit(pipe, s.x, v.out + (first + t) * Tile::size);
    pipe.consumer_release();
  };
  for (int t = 0; t < v.tiles; ++t) {
    fill(t);
    read(t);
    if (t % 4 == 3) {
      fill((t + 37) % v.tiles);  // in flight, and dropped
      pipe.drain();
      use_memory(ring[0].stage, v.seed, t, v.out + first * Tile::size);
      pipe.resume();
    }
  }
}

// Ends with tiles in flight: the ring's memory is another array after close(), which drains.
// Without roles the last stage is filled and not committed.
template <class Team, class Policy, class Loader>
__device__ void closed(Arguments v) {
  using Tile = typename Loader::TileType;
  using Stage = One<Tile>;
  using Ring = tilepipe::Ring<Stage, 3>;
  constexpr bool roles = Team::kind == tilepipe::TeamKind::specialized;
  __shared__ Ring ring[1];
  const long long first = 1ll * blockIdx.x * v.tiles;
  for (int t = 0; t < v.tiles; ++t) {
    poison(ring, 1, v.seed + t);
    {
      Loader load{v.in};
      tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load};
      if (!roles || pipe.is_producer()) {
        for (int ahead = 0; ahead < 3; ++ahead) {
          Stage& s = pipe.producer_acquire();
          maybe_late(v.seed, t + ahead, before_load);
          pipe.fill(load, s.x, (first + (t + 40 * ahead) % v.tiles) * Tile::size);
          if (roles || ahead < 2) pipe.producer_commit();
        }
      }
      if (!roles || !pipe.is_producer()) {
        const Stage& s = pipe.consumer_wait();
        maybe_late(v.seed, t, before_read);
        emit(pipe, s.x, v.out + (first + t) * Tile::size);
      }
      pipe.close();
    }
    Word* word = reinterpret_cast<Word*>(ring);
    constexpr int words = static_cast<int>(sizeof(Ring) / 4);
    for (int i = threadIdx.x; i < words; i += blockDim.x) word[i] = 0x5a5a0000u + i;
    maybe_late(v.seed, t, before_read + 16);
    for (int i = threadIdx.x; i < words; i += blockDim.x)
      if (word[i] != 0x5a5a0000u + i) v.out[first * Tile::size] = 1;
    own_barrier();
  }
}

using Stored = tilepipe::TileLoader<Vector, Via<registers>>;
using Block = tilepipe::Block<128>;
using Roles = tilepipe::Specialized<64, 64>;
KERNEL(window_registers__t128u1e512_exact, window<Default, Stored>)
KERNEL(reused_registers__t128u1e512_exact, reused<Block, Default, Stored>)
KERNEL(closed_registers__t128u1e512_exact, closed<Block, Default, Stored>)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using Copied = tilepipe::TileLoader<Vector, Via<cp_async>>;
KERNEL(window_groups__t128u1e512_exact, window<By<groups>, Copied>)
KERNEL(window_mbarrier__t128u1e512_exact, window<By<mbarrier>, Copied>)
KERNEL(window_mbarrier_registers__t128u1e512_exact, window<By<mbarrier>, Stored>)
KERNEL(reused_groups__t128u1e512_exact, reused<Block, By<groups>, Copied>)
KERNEL(reused_mbarrier__t128u1e512_exact, reused<Block, By<mbarrier>, Copied>)
KERNEL(closed_groups__t128u1e512_exact, closed<Block, By<groups>, Copied>)
KERNEL(closed_mbarrier__t128u1e512_exact, closed<Block, By<mbarrier>, Copied>)
KERNEL(closed_roles_cp_async__t128u1e512_exact, closed<Roles, Default, Copied>)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
using InBulk = tilepipe::TileLoader<Vector, Via<bulk>>;
KERNEL(window_bulk__t128u1e512_exact, window<Default, InBulk>)
KERNEL(reused_bulk__t128u1e512_exact, reused<Block, Default, InBulk>)
KERNEL(closed_bulk__t128u1e512_exact, closed<Block, Default, InBulk>)
KERNEL(closed_roles_bulk__t128u1e512_exact, closed<Roles, Default, InBulk>)
#endif
