// SPDX-License-Identifier: Apache-2.0
// The handshake alone with tensor copies: a producer warp's elected lane loads boxes of a matrix,
// consumer warps compute nothing.
#pragma once

#include <cuda.h>

#include "handshake_specialized.cuh"

namespace baseline {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ __forceinline__ void copy_box(void* to, const CUtensorMap* map, int col, int row,
                                         int bytes, barrier_t* bar) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(smem(to)),
      "l"(map), "r"(col), "r"(row), "r"(smem(bar))
      : "memory");
}
#endif

// A box: 8 rows of Threads / 2 floats, 16 bytes a computing thread. Blocks start 32 boxes apart.
template <int S, int Threads>
__global__ void __launch_bounds__(Threads + 32)
    handshake_tensor(const __grid_constant__ CUtensorMap map, float* out, int tiles) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ __align__(128) float4 ring[S][Threads];
  __shared__ barrier_t full[S];
  __shared__ barrier_t empty[S];
  const int rank = static_cast<int>(threadIdx.x);
  if (rank == Threads) asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
  init_both<S>(full, 1, empty, Threads / 32);
  if (rank >= Threads) {
    if (rank != Threads) return;
    Slot<S> slot;
    for (int t = 0; t < tiles; ++t) {
      wait(empty + slot.index, slot.parity ^ 1);
      copy_box(ring[slot.index], &map, 0, (static_cast<int>(blockIdx.x) * 32 + t) * 8,
               sizeof ring[0], full + slot.index);
      slot.advance();
    }
    return;
  }
  consume_nothing<S>(full, empty, tiles, rank);
  if (tiles > 0) show_last<Threads>(ring, (tiles - 1) % S, out, rank);
#endif
}

}  // namespace baseline
