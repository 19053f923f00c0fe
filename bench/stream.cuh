// SPDX-License-Identifier: Apache-2.0
// The streaming transforms written with tilepipe: out[i] is W dependent FMAs of in[i], tile by
// tile.
#pragma once

#include <tilepipe/tilepipe.cuh>

#include "baseline/arithmetic.cuh"

namespace bench {

using baseline::store4;

template <int N>
struct StreamStage {
  tilepipe::Tile<float, N> x;
};

// The threads of a block, said to the compiler as the baselines say it; the most where Block<>
// leaves them open.
template <class Team>
inline constexpr int block_threads = Team::computing_threads == 0 ? 1024
                                     : Team::kind == tilepipe::TeamKind::specialized
                                         ? Team::computing_threads + Team::loading_threads
                                         : Team::computing_threads;

// How a tile is read and written: one vector load, compute, one vector store, then the next.
enum class Order {
  library,   // by pipe.transform, which the compiler does not unroll where the code is long
  compiler,  // unrolled as the baselines are, the stores where the compiler puts them: at the end
             // of the tile, where the threads have issued copies themselves
  in_order,  // the same, but the compiler does not know that the stores go to global memory, and so
             // keeps each before the loads of shared memory behind it
};

// The number of threads is known, and the code stays small: up to 64 FMAs an element, or one vector
// a thread. N / 4 is a multiple of the threads.
template <int W, int N, class Team>
inline constexpr bool unrolls = Team::computing_threads > 0 &&
                                (W <= 64 || N <= 4 * Team::computing_threads);

template <Order O, int W, class Team, class Pipe, class Tile>
__device__ __forceinline__ void transform(const Pipe& pipe, const Tile& x, float* to) {
  if constexpr (O == Order::library || !unrolls<W, Tile::size, Team>) {
    pipe.transform(x, to, [](float v) { return baseline::work<W>(v); });
    return;
  }
  float* mine = to + pipe.rank() * 4;
  if constexpr (O == Order::in_order) asm("" : "+l"(mine));
#pragma unroll
  for (int first = 0; first < Tile::size / 4; first += pipe.size()) {
    const float4 v = x.template as<float4>(0, (first + pipe.rank()) * 4);
    store4<W>(mine + first * 4, v);
  }
}

// The order in which a stream is fastest, unless a row compares orders.
template <class Team, tilepipe::Path P>
inline constexpr Order usual_order = P == tilepipe::Path::cp_async ||
                                             (P == tilepipe::Path::bulk &&
                                              Team::kind != tilepipe::TeamKind::specialized)
                                         ? Order::in_order
                                         : Order::compiler;

// Tile t of a block is tile blockIdx.x + t * gridDim.x. Paths, completions and teams differ in the
// template arguments alone: How are options of the loader.
template <Order O, int W, int N, int Stages, class Team, class Policy, class... How>
__global__ void __launch_bounds__(block_threads<Team>)
    stream(const float* in, float* out, int tiles) {
  using Stage = StreamStage<N>;
  extern __shared__ __align__(128) unsigned char bench_smem[];
  auto& ring = *reinterpret_cast<tilepipe::Ring<Stage, Stages>*>(bench_smem);
  tilepipe::TileLoader<tilepipe::Tile<float, N>, How...> load{in};
  tilepipe::Pipeline pipe{ring, Team{}, Policy{}, load};
  const auto at = [&](int t) { return baseline::start_of_tile<N>(t); };
  pipe.run(
      baseline::tiles_of_block(tiles), [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) { transform<O, W, Team>(pipe, s.x, out + at(t)); });
}

// The same tiles, but each warp of the block loads, waits for and computes its own part of them.
template <int W, int N, int Stages, int Threads, class Policy, class... How>
__global__ void __launch_bounds__(Threads) stream_by_warps(const float* in, float* out, int tiles) {
  constexpr int warps = Threads / 32;
  constexpr int part = N / warps;
  using Stage = StreamStage<part>;
  extern __shared__ __align__(128) unsigned char bench_smem[];
  using Ring = tilepipe::Ring<Stage, Stages>;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  auto& ring = reinterpret_cast<Ring*>(bench_smem)[warp];
  tilepipe::TileLoader<tilepipe::Tile<float, part>, How...> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Warp{}, Policy{}, load};
  const auto at = [&](int t) { return baseline::start_of_tile<N>(t) + warp * part; };
  pipe.run(
      baseline::tiles_of_block(tiles), [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) {
        transform<Order::compiler, W, tilepipe::Warp>(pipe, s.x, out + at(t));
      });
}

}  // namespace bench
