// SPDX-License-Identifier: Apache-2.0
// Streaming transforms by hand whose copies travel through registers: synchronous and two-phase.
#pragma once

#include "arithmetic.cuh"

namespace baseline {

// Batched: a thread's loads before its stores, as the compiler orders them unasked; else it waits
// for each vector.
template <int N, int Threads, bool Batched = true>
__device__ __forceinline__ void copy_tile(float* tile, const float* from, int rank) {
  static_assert(N % (Threads * 4) == 0, "whole vectors");
#pragma unroll(Batched ? N / (Threads * 4) : 1)
  for (int j = 0; j < N / (Threads * 4); ++j) {
    const int i = (j * Threads + rank) * 4;
    *reinterpret_cast<float4*>(tile + i) = load4(from + i);
  }
}

// The classic loop: load, barrier, compute, barrier; one buffer.
template <int W, int N, int Threads>
__global__ void __launch_bounds__(Threads) stream_classic(const float* in, float* out, int tiles) {
  __shared__ __align__(128) float tile[N];
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
  for (int t = 0; t < mine; ++t) {
    copy_tile<N, Threads>(tile, in + start_of_tile<N>(t), rank);
    __syncthreads();
    transform_tile<W, N, Threads>(tile, out + start_of_tile<N>(t), rank);
    __syncthreads();
  }
}

// S buffers, each refilled by plain assignments a tile ahead: the loads have to land in registers
// before their stores, so the copy holds up the compute that follows it.
template <int W, int N, int S, int Threads, bool Batched = true>
__global__ void __launch_bounds__(Threads)
    stream_synchronous(const float* in, float* out, int tiles) {
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto tile = reinterpret_cast<float(*)[N]>(baseline_smem);
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
#pragma unroll
  for (int t = 0; t < S - 1; ++t)
    if (t < mine) copy_tile<N, Threads, Batched>(tile[t], in + start_of_tile<N>(t), rank);
  int read = 0;
  int write = S - 1;
  for (int t = 0; t < mine; ++t) {
    __syncthreads();
    if (t + S - 1 < mine)
      copy_tile<N, Threads, Batched>(tile[write], in + start_of_tile<N>(t + S - 1), rank);
    if (++write == S) write = 0;
    transform_tile<W, N, Threads>(tile[read], out + start_of_tile<N>(t), rank);
    if (++read == S) read = 0;
  }
}

// Two phases: the loads of the next tile go to registers before the compute of this one, their
// stores follow it.
template <int W, int N, int S, int Threads>
__global__ void __launch_bounds__(Threads)
    stream_registers(const float* in, float* out, int tiles) {
  static_assert(S >= 2 && N % (Threads * 4) == 0, "two stages, whole vectors");
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto tile = reinterpret_cast<float(*)[N]>(baseline_smem);
  constexpr int vectors = N / (Threads * 4);
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
  float4 held[vectors];
  const auto load = [&](int t) {
#pragma unroll
    for (int j = 0; j < vectors; ++j)
      held[j] = load4(in + start_of_tile<N>(t) + (j * Threads + rank) * 4);
  };
  const auto store = [&](int slot) {
#pragma unroll
    for (int j = 0; j < vectors; ++j)
      *reinterpret_cast<float4*>(tile[slot] + (j * Threads + rank) * 4) = held[j];
  };
  if (mine > 0) {
    load(0);
    store(0);
  }
  int slot = 0;
  for (int t = 0; t < mine; ++t) {
    __syncthreads();
    if (t + 1 < mine) load(t + 1);
    transform_tile<W, N, Threads>(tile[slot], out + start_of_tile<N>(t), rank);
    if (++slot == S) slot = 0;
    if (t + 1 < mine) store(slot);
  }
}

}  // namespace baseline
