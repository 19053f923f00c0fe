// SPDX-License-Identifier: Apache-2.0
// The handshake alone, one team: rings of 16 bytes a thread whose compute is empty.
#pragma once

#include "instructions.cuh"

namespace baseline {

// Blocks start 32 tiles apart and read overlapping ranges, so that the source stays in L2. At the
// end the last tile goes out, which shows that it arrived.
template <int Threads>
__device__ __forceinline__ const float* handshake_source(const float* in, int t, int rank) {
  return in + ((static_cast<long long>(blockIdx.x) * 32 + t) * Threads + rank) * 4;
}

template <int Threads>
__device__ __forceinline__ void show_last(float4 (*ring)[Threads], int slot, float* out, int rank) {
  reinterpret_cast<float4*>(out)[static_cast<long long>(blockIdx.x) * Threads + rank] =
      ring[slot][rank];
}

template <int S, int Threads>
__global__ void __launch_bounds__(Threads)
    handshake_groups(const float* in, float* out, int tiles) {
  __shared__ __align__(128) float4 ring[S][Threads];
  const int rank = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int t = 0; t < S - 1; ++t) {
    if (t < tiles) copy16(&ring[t][rank], handshake_source<Threads>(in, t, rank));
    commit_group();
  }
  int write = S - 1;
  for (int t = 0; t < tiles; ++t) {
    wait_group<S - 2>();
    __syncthreads();
    if (t + S - 1 < tiles)
      copy16(&ring[write][rank], handshake_source<Threads>(in, t + S - 1, rank));
    commit_group();
    if (++write == S) write = 0;
  }
  if (tiles > 0) show_last<Threads>(ring, (tiles - 1) % S, out, rank);
}

template <int S, int Threads>
__global__ void __launch_bounds__(Threads)
    handshake_registers(const float* in, float* out, int tiles) {
  __shared__ __align__(128) float4 ring[S][Threads];
  const int rank = static_cast<int>(threadIdx.x);
  const auto load = [&](int t) {
    return *reinterpret_cast<const float4*>(handshake_source<Threads>(in, t, rank));
  };
  float4 held{};
  if (tiles > 0) ring[0][rank] = load(0);
  int slot = 0;
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    if (t + 1 < tiles) held = load(t + 1);
    if (++slot == S) slot = 0;
    if (t + 1 < tiles) ring[slot][rank] = held;
  }
  __syncthreads();
  if (tiles > 0) show_last<Threads>(ring, (tiles - 1) % S, out, rank);
}

template <int S, int Threads>
__global__ void __launch_bounds__(Threads)
    handshake_cp_async_mbarrier(const float* in, float* out, int tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ __align__(128) float4 ring[S][Threads];
  __shared__ barrier_t full[S];
  const int rank = static_cast<int>(threadIdx.x);
  if (rank == 0) {
    for (int i = 0; i < S; ++i) init(full + i, Threads);
    fence_init();
  }
  __syncthreads();
  const auto fill = [&](int slot, int t) {
    copy16(&ring[slot][rank], handshake_source<Threads>(in, t, rank));
    arrive_after_copies(full + slot);
  };
#pragma unroll
  for (int t = 0; t < S - 1; ++t)
    if (t < tiles) fill(t, t);
  int read = 0;
  int write = S - 1;
  unsigned parity = 0;
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    if (t + S - 1 < tiles) fill(write, t + S - 1);
    if (++write == S) write = 0;
    wait(full + read, parity);
    if (++read == S) {
      read = 0;
      parity ^= 1;
    }
  }
  if (tiles > 0) show_last<Threads>(ring, (tiles - 1) % S, out, rank);
#endif
}

template <int S, int Threads>
__global__ void __launch_bounds__(Threads) handshake_bulk(const float* in, float* out, int tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ __align__(128) float4 ring[S][Threads];
  __shared__ barrier_t full[S];
  const int rank = static_cast<int>(threadIdx.x);
  if (rank == 0) {
    for (int i = 0; i < S; ++i) init(full + i, 1);
    fence_init();
  }
  __syncthreads();
  const auto fill = [&](int slot, int t) {
    copy_bulk(ring[slot], handshake_source<Threads>(in, t, 0), sizeof ring[slot], full + slot);
  };
  if (rank == 0)
    for (int t = 0; t < S - 1; ++t)
      if (t < tiles) fill(t, t);
  int read = 0;
  int write = S - 1;
  unsigned parity = 0;
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    if (rank == 0 && t + S - 1 < tiles) fill(write, t + S - 1);
    if (++write == S) write = 0;
    wait(full + read, parity);
    if (++read == S) {
      read = 0;
      parity ^= 1;
    }
  }
  if (tiles > 0) show_last<Threads>(ring, (tiles - 1) % S, out, rank);
#endif
}

}  // namespace baseline
