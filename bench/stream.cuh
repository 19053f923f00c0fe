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

// One vector load, compute, one vector store, then the next. N / 4 is a multiple of the threads.
// Unrolled as the baselines are where the number of threads is known and the code stays small: up
// to 64 FMAs an element, or one vector a thread; else by the library's own loop.
// InOrder: the compiler does not know that the stores go to global memory, and so keeps each before
// the loads of shared memory behind it, as they are written; else it puts them off to the end of
// the tile, where the threads have issued copies themselves.
template <int W, class Team, bool InOrder, class Pipe, class Tile>
__device__ __forceinline__ void transform(const Pipe& pipe, const Tile& x, float* to) {
  if constexpr (Team::computing_threads == 0 ||
                (W > 64 && Tile::size > 4 * Team::computing_threads)) {
    pipe.transform(x, to, [](float v) { return baseline::work<W>(v); });
    return;
  }
  float* mine = to + pipe.rank() * 4;
  if constexpr (InOrder) asm("" : "+l"(mine));
#pragma unroll
  for (int first = 0; first < Tile::size / 4; first += pipe.size()) {
    const float4 v = x.template as<float4>(0, (first + pipe.rank()) * 4);
    store4<W>(mine + first * 4, v);
  }
}

// Tile t of a block is tile blockIdx.x + t * gridDim.x. Paths, completions and teams differ in the
// template arguments alone: How are options of the loader.
template <int W, int N, int Stages, class Team, class Policy, class... How>
__global__ void __launch_bounds__(block_threads<Team>)
    stream(const float* in, float* out, int tiles) {
  using Stage = StreamStage<N>;
  extern __shared__ __align__(128) unsigned char bench_smem[];
  auto& ring = *reinterpret_cast<tilepipe::Ring<Stage, Stages>*>(bench_smem);
  using Load = tilepipe::TileLoader<tilepipe::Tile<float, N>, How...>;
  Load load{in};
  tilepipe::Pipeline pipe{ring, Team{}, Policy{}, load};
  const auto at = [&](int t) { return baseline::start_of_tile<N>(t); };
  pipe.run(
      baseline::tiles_of_block(tiles), [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) {
        constexpr bool in_order =
            Load::path == tilepipe::Path::cp_async ||
            (Load::path == tilepipe::Path::bulk && Team::kind != tilepipe::TeamKind::specialized);
        transform<W, Team, in_order>(pipe, s.x, out + at(t));
      });
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
      [&](const Stage& s, int t) { transform<W, tilepipe::Warp, false>(pipe, s.x, out + at(t)); });
}

}  // namespace bench
