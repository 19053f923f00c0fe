// SPDX-License-Identifier: Apache-2.0
// The handshake alone, producer and consumer warps: 16 bytes a computing thread, empty compute.
#pragma once

#include "handshake_unified.cuh"

namespace baseline {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <int S>
struct Slot {
  int index = 0;
  unsigned parity = 0;
  __device__ __forceinline__ void advance() {
    if (++index == S) {
      index = 0;
      parity ^= 1;
    }
  }
};

template <int S>
__device__ __forceinline__ void init_both(barrier_t* full, int on_full, barrier_t* empty,
                                          int on_empty) {
  if (threadIdx.x == 0) {
    for (int i = 0; i < S; ++i) {
      init(full + i, on_full);
      init(empty + i, on_empty);
    }
    fence_init();
  }
  __syncthreads();
}

template <int S>
__device__ __forceinline__ void consume_nothing(barrier_t* full, barrier_t* empty, int tiles,
                                                int rank) {
  Slot<S> slot;
  for (int t = 0; t < tiles; ++t) {
    wait(full + slot.index, slot.parity);
    __syncwarp();
    if (rank % 32 == 0) arrive(empty + slot.index);
    slot.advance();
  }
}
#endif

// One elected lane loads: it alone waits on empty.
template <int S, int Threads>
__global__ void __launch_bounds__(Threads + 32)
    handshake_bulk_specialized(const float* in, float* out, int tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ __align__(128) float4 ring[S][Threads];
  __shared__ barrier_t full[S];
  __shared__ barrier_t empty[S];
  const int rank = static_cast<int>(threadIdx.x);
  init_both<S>(full, 1, empty, Threads / 32);
  if (rank >= Threads) {
    if (rank != Threads) return;
    Slot<S> slot;
    for (int t = 0; t < tiles; ++t) {
      wait(empty + slot.index, slot.parity ^ 1);
      copy_bulk(ring[slot.index], handshake_source<Threads>(in, t, 0), sizeof ring[0],
                full + slot.index);
      slot.advance();
    }
    return;
  }
  consume_nothing<S>(full, empty, tiles, rank);
  if (tiles > 0) show_last<Threads>(ring, (tiles - 1) % S, out, rank);
#endif
}

// Every producer copies Threads / Producers vectors and arrives when they are there.
template <int S, int Producers, int Threads>
__global__ void __launch_bounds__(Threads + Producers)
    handshake_cp_async_specialized(const float* in, float* out, int tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ __align__(128) float4 ring[S][Threads];
  __shared__ barrier_t full[S];
  __shared__ barrier_t empty[S];
  const int rank = static_cast<int>(threadIdx.x);
  init_both<S>(full, Producers, empty, Threads / 32);
  if (rank >= Threads) {
    const int producer = rank - Threads;
    Slot<S> slot;
    for (int t = 0; t < tiles; ++t) {
      wait(empty + slot.index, slot.parity ^ 1);
#pragma unroll
      for (int j = 0; j < Threads / Producers; ++j) {
        const int i = j * Producers + producer;
        copy16(&ring[slot.index][i], handshake_source<Threads>(in, t, i));
      }
      arrive_after_copies(full + slot.index);
      slot.advance();
    }
    wait_group_all();
    return;
  }
  consume_nothing<S>(full, empty, tiles, rank);
  if (tiles > 0) show_last<Threads>(ring, (tiles - 1) % S, out, rank);
#endif
}

// The loads of the next tile are in flight while the producer waits for a slot for this one.
template <int S, int Producers, int Threads>
__global__ void __launch_bounds__(Threads + Producers)
    handshake_registers_specialized(const float* in, float* out, int tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ __align__(128) float4 ring[S][Threads];
  __shared__ barrier_t full[S];
  __shared__ barrier_t empty[S];
  const int rank = static_cast<int>(threadIdx.x);
  init_both<S>(full, Producers, empty, Threads / 32);
  if (rank >= Threads) {
    constexpr int vectors = Threads / Producers;
    const int producer = rank - Threads;
    float4 held[vectors];
    const auto load = [&](int t) {
#pragma unroll
      for (int j = 0; j < vectors; ++j)
        held[j] = *reinterpret_cast<const float4*>(
            handshake_source<Threads>(in, t, j * Producers + producer));
    };
    Slot<S> slot;
    if (tiles > 0) load(0);
    for (int t = 0; t < tiles; ++t) {
      wait(empty + slot.index, slot.parity ^ 1);
#pragma unroll
      for (int j = 0; j < vectors; ++j) ring[slot.index][j * Producers + producer] = held[j];
      arrive(full + slot.index);
      if (t + 1 < tiles) load(t + 1);
      slot.advance();
    }
    return;
  }
  consume_nothing<S>(full, empty, tiles, rank);
  if (tiles > 0) show_last<Threads>(ring, (tiles - 1) % S, out, rank);
#endif
}

}  // namespace baseline
