// SPDX-License-Identifier: Apache-2.0
// Small kernels whose results betray a missing wait, barrier, arrival or count: what they share.
#pragma once

#include <tilepipe/observer.cuh>
#include <tilepipe/tilepipe.cuh>

// Each team copies its own `tiles` tiles: tile g = team * tiles + t of the source goes to place g
// of the output, times 3, element i from element turned(i) of the tile, which another thread has
// loaded. Warps are late at random, some before they load, others before they read; so what is not
// waited for has not arrived, and what is refilled too early is still to be read.
// A kernel's name ends in __t<threads>u<teams>e<elements>_<kind>; the runner's oracle reads it.

using Word = unsigned;
struct Arguments {
  const Word* in;   // of the first tile
  const Word* in2;  // of the second tile of a stage
  Word* out;
  int tiles;
  unsigned seed;
};

template <int Elements>
__device__ int turned(int i) {
  return (i + Elements / 3) % Elements;
}

// By all threads of a warp or by one: one call of eight takes that many cycles.
__device__ inline void maybe_late(unsigned seed, int t, unsigned salt, int cycles = 3000) {
  const unsigned warp = (threadIdx.x + blockDim.x * threadIdx.y) / 32;
  unsigned h = seed * 0x9e3779b9u + static_cast<unsigned>(t) * 0x85ebca6bu + warp * 0xc2b2ae35u +
               blockIdx.x * 0x27d4eb2fu + salt;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 13;
  if ((h & 7) != 0) return;
  const long long until = clock64() + cycles;
  while (clock64() < until) {}
}
inline constexpr unsigned before_load = 1, before_read = 2, before_start = 3;

// A barrier of the block that is not the library's: it is spelled otherwise, and mutants leave it
// alone.
__device__ inline void own_barrier() { asm volatile("barrier.sync 15;" ::: "memory"); }

// What is read before it is written shows; and not all warps begin together.
template <class Ring>
__device__ void poison(Ring* ring, int rings, unsigned seed) {
  const int words = static_cast<int>(sizeof(Ring) / 4) * rings;
  for (int i = threadIdx.x; i < words; i += blockDim.x)
    reinterpret_cast<Word*>(ring)[i] = 0xdeadbeefu;
  own_barrier();
  maybe_late(seed, rings, before_start);
}

template <class Tile>
struct One {
  Tile x;
};
template <class Tile, class Other = Tile>
struct Two {
  Tile a;
  Other b;
};

using Vector = tilepipe::Tile<Word, 512>;
using Matrix = tilepipe::Tile<Word, 16, 32>;
template <tilepipe::Path P>
using Via = tilepipe::Via<P>;
template <tilepipe::Completion C>
using By = tilepipe::CompleteBy<C>;
using Default = tilepipe::Policy<>;
inline constexpr auto cp_async = tilepipe::Path::cp_async;
inline constexpr auto registers = tilepipe::Path::registers;
inline constexpr auto bulk = tilepipe::Path::bulk;
inline constexpr auto groups = tilepipe::Completion::groups;
inline constexpr auto mbarrier = tilepipe::Completion::mbarrier;

// Half of a block of 128 threads.
struct Half {
  __device__ unsigned thread_rank() const { return threadIdx.x % 64; }
  __device__ unsigned size() const { return 64; }
  __device__ void sync() const {
    asm volatile("barrier.sync %0, 64;" ::"r"(13 + threadIdx.x / 64) : "memory");
  }
};
using HalfTeam = tilepipe::GroupTeam<Half, 64>;

template <class Team>
inline constexpr int teams_of = 1;
template <>
inline constexpr int teams_of<HalfTeam> = 2;
template <>
inline constexpr int teams_of<tilepipe::Warp> = 2;
template <>
inline constexpr int teams_of<tilepipe::Thread> = 64;
template <class Team>
__device__ int team_in_block() {
  return teams_of<Team> == 1 ? 0 : threadIdx.x / Team::loading_threads;
}

template <class Pipe, class Tile>
__device__ void emit(Pipe& pipe, const Tile& tile, Word* out) {
  for (int i = pipe.rank(); i < Tile::size; i += pipe.size())
    out[i] = 3 * tile[turned<Tile::size>(i)];
}
template <class Pipe, class Tile, class Other>
__device__ void emit(Pipe& pipe, const Tile& a, const Other& b, Word* out) {
  constexpr int size = Tile::size;
  for (int i = pipe.rank(); i < size; i += pipe.size())
    out[i] = 3 * a[turned<size>(i)] + b[turned<size>(i)];
}

// run(), one tile a stage, vectors.
template <class Team, class Policy, int Stages, class Tile, class... Options>
__device__ void stream(Arguments v) {
  using Ring = tilepipe::Ring<One<Tile>, Stages>;
  __shared__ Ring ring[teams_of<Team>];
  poison(ring, teams_of<Team>, v.seed);
  const long long first = (blockIdx.x * teams_of<Team> + team_in_block<Team>()) * 1ll * v.tiles;
  tilepipe::TileLoader<Tile, Options...> load{v.in};
  tilepipe::Pipeline pipe{ring[team_in_block<Team>()], Team{}, Policy{}, load};
  pipe.run(
      v.tiles,
      [&](One<Tile>& s, int t) {
        maybe_late(v.seed, t, before_load);
        pipe.fill(load, s.x, (first + t) * Tile::size);
      },
      [&](const One<Tile>& s, int t) {
        maybe_late(v.seed, t, before_read);
        emit(pipe, s.x, v.out + (first + t) * Tile::size);
      });
}

// run(), matrices of a pitched source of which tiles stick out: rows block * 16 - 2 .., columns t *
// 32 - 4 ...
template <class Team, class Policy, int Stages, class Tile, class... Options>
__device__ void edges(Arguments v) {
  using Ring = tilepipe::Ring<One<Tile>, Stages>;
  __shared__ Ring ring[1];
  poison(ring, 1, v.seed);
  const int pitch = v.tiles * Tile::cols;
  tilepipe::TileLoader<Tile, Options...> load{v.in, static_cast<int>(gridDim.x) * Tile::rows - 5,
                                              pitch - 6, pitch};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load};
  pipe.run(
      v.tiles,
      [&](One<Tile>& s, int t) {
        maybe_late(v.seed, t, before_load);
        pipe.fill(load, s.x, static_cast<int>(blockIdx.x) * Tile::rows - 2, t * Tile::cols - 4);
      },
      [&](const One<Tile>& s, int t) {
        maybe_late(v.seed, t, before_read);
        emit(pipe, s.x, v.out + (1ll * blockIdx.x * v.tiles + t) * Tile::size);
      });
}

// run(), two tiles of different loaders a stage.
template <class Team, class Policy, int Stages, class LoaderA, class LoaderB>
__device__ void pair(Arguments v) {
  using A = typename LoaderA::TileType;
  using B = typename LoaderB::TileType;
  using Stage = Two<A, B>;
  __shared__ tilepipe::Ring<Stage, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  LoaderA load_a{v.in};
  LoaderB load_b{v.in2};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load_a, load_b};
  pipe.run(
      v.tiles,
      [&](Stage& s, int t) {
        maybe_late(v.seed, t, before_load);
        pipe.fill(load_a, s.a, (first + t) * A::size);
        pipe.fill(load_b, s.b, (first + t) * B::size);
      },
      [&](const Stage& s, int t) {
        maybe_late(v.seed, t, before_read);
        emit(pipe, s.a, s.b, v.out + (first + t) * A::size);
      });
}

// run(), a stage in two parts that are waited for one after the other.
template <class Team, class Policy, int Stages, class Loader>
__device__ void parts(Arguments v) {
  using Tile = typename Loader::TileType;
  using Stage = Two<Tile>;
  __shared__ tilepipe::Ring<Stage, Stages, 2> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  Loader load_a{v.in};
  Loader load_b{v.in2};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load_a, load_b};
  pipe.run(
      v.tiles,
      [&](Stage& s, int t) {
        maybe_late(v.seed, t, before_load);
        pipe.fill(load_a, s.a, (first + t) * Tile::size);
        pipe.producer_commit();
        maybe_late(v.seed, t, before_load + 8);
        pipe.fill(load_b, s.b, (first + t) * Tile::size);
      },
      [&](const Stage& s, int t) {
        Word* out = v.out + (first + t) * Tile::size;
        maybe_late(v.seed, t, before_read);
        emit(pipe, s.a, out);
        pipe.consumer_wait();
        maybe_late(v.seed, t, before_read + 8);
        for (int i = pipe.rank(); i < Tile::size; i += pipe.size())
          out[i] += s.b[turned<Tile::size>(i)];
      });
}

#define KERNEL(name, ...) \
  extern "C" __global__ void name(Arguments v) { __VA_ARGS__(v); }
