// SPDX-License-Identifier: Apache-2.0
// Streaming transforms by hand: cp.async rings completing by groups and by an mbarrier.
#pragma once

#include "arithmetic.cuh"
#include "instructions.cuh"

namespace baseline {

template <int N, int Threads>
__device__ __forceinline__ void issue_tile(float* tile, const float* from, int rank) {
  static_assert(N % (Threads * 4) == 0, "whole vectors");
#pragma unroll
  for (int j = 0; j < N / (Threads * 4); ++j) {
    const int i = (j * Threads + rank) * 4;
    copy16(tile + i, from + i);
  }
}

// One block barrier a tile, S - 1 tiles in flight, an empty group where there is nothing to load.
template <int W, int N, int S, int Threads>
__global__ void __launch_bounds__(Threads) stream_groups(const float* in, float* out, int tiles) {
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto tile = reinterpret_cast<float(*)[N]>(baseline_smem);
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
#pragma unroll
  for (int t = 0; t < S - 1; ++t) {
    if (t < mine) issue_tile<N, Threads>(tile[t], in + start_of_tile<N>(t), rank);
    commit_group();
  }
  int read = 0;
  int write = S - 1;
  for (int t = 0; t < mine; ++t) {
    wait_group<S - 2>();
    __syncthreads();
    if (t + S - 1 < mine)
      issue_tile<N, Threads>(tile[write], in + start_of_tile<N>(t + S - 1), rank);
    commit_group();
    if (++write == S) write = 0;
    transform_tile<W, N, Threads>(tile[read], out + start_of_tile<N>(t), rank);
    if (++read == S) read = 0;
  }
}

// The block barrier stands between the reads of a stage and its refill; S tiles are in flight while
// the block waits for the oldest.
template <int W, int N, int S, int Threads>
__global__ void __launch_bounds__(Threads)
    stream_cp_async_mbarrier(const float* in, float* out, int tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto tile = reinterpret_cast<float(*)[N]>(baseline_smem);
  auto full = reinterpret_cast<barrier_t*>(baseline_smem + S * N * sizeof(float));
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
  if (rank == 0) {
    for (int i = 0; i < S; ++i) init(full + i, Threads);
    fence_init();
  }
  __syncthreads();
#pragma unroll
  for (int t = 0; t < S - 1; ++t) {
    if (t < mine) {
      issue_tile<N, Threads>(tile[t], in + start_of_tile<N>(t), rank);
      arrive_after_copies(full + t);
    }
  }
  int read = 0;
  int write = S - 1;
  unsigned parity = 0;
  for (int t = 0; t < mine; ++t) {
    __syncthreads();
    if (t + S - 1 < mine) {
      issue_tile<N, Threads>(tile[write], in + start_of_tile<N>(t + S - 1), rank);
      arrive_after_copies(full + write);
    }
    if (++write == S) write = 0;
    wait(full + read, parity);
    transform_tile<W, N, Threads>(tile[read], out + start_of_tile<N>(t), rank);
    if (++read == S) {
      read = 0;
      parity ^= 1;
    }
  }
#endif
}

}  // namespace baseline
