// SPDX-License-Identifier: Apache-2.0
// Streaming transforms by hand: bulk copies completing on an mbarrier, unified and specialized.
#pragma once

#include "arithmetic.cuh"
#include "instructions.cuh"

namespace baseline {

template <int W, int N, int S, int Threads>
__global__ void __launch_bounds__(Threads) stream_bulk(const float* in, float* out, int tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto tile = reinterpret_cast<float(*)[N]>(baseline_smem);
  auto full = reinterpret_cast<barrier_t*>(baseline_smem + S * N * sizeof(float));
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
  if (rank == 0) {
    for (int i = 0; i < S; ++i) init(full + i, 1);
    fence_init();
  }
  __syncthreads();
  const auto fill = [&](int slot, int t) {
    copy_bulk(tile[slot], in + start_of_tile<N>(t), N * sizeof(float), full + slot);
  };
  if (rank == 0)
    for (int t = 0; t < S - 1; ++t)
      if (t < mine) fill(t, t);
  int read = 0;
  int write = S - 1;
  unsigned parity = 0;
  for (int t = 0; t < mine; ++t) {
    __syncthreads();
    if (rank == 0 && t + S - 1 < mine) fill(write, t + S - 1);
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

// Threads compute, the 32 after them load. Only the elected lane of the producer warp arrives on
// full, so only that lane waits on empty: a lane that waited too could fall a phase behind.
template <int W, int N, int S, int Threads>
__global__ void __launch_bounds__(Threads + 32)
    stream_bulk_specialized(const float* in, float* out, int tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto tile = reinterpret_cast<float(*)[N]>(baseline_smem);
  auto full = reinterpret_cast<barrier_t*>(baseline_smem + S * N * sizeof(float));
  auto empty = full + S;
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
  if (rank == 0) {
    for (int i = 0; i < S; ++i) {
      init(full + i, 1);
      init(empty + i, Threads / 32);
    }
    fence_init();
  }
  __syncthreads();
  int slot = 0;
  unsigned parity = 0;
  if (rank >= Threads) {
    if (rank != Threads) return;
    for (int t = 0; t < mine; ++t) {
      wait(empty + slot, parity ^ 1);
      copy_bulk(tile[slot], in + start_of_tile<N>(t), N * sizeof(float), full + slot);
      if (++slot == S) {
        slot = 0;
        parity ^= 1;
      }
    }
    return;
  }
  for (int t = 0; t < mine; ++t) {
    wait(full + slot, parity);
    transform_tile<W, N, Threads>(tile[slot], out + start_of_tile<N>(t), rank);
    __syncwarp();
    if (rank % 32 == 0) arrive(empty + slot);
    if (++slot == S) {
      slot = 0;
      parity ^= 1;
    }
  }
#endif
}

}  // namespace baseline
