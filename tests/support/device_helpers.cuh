// SPDX-License-Identifier: Apache-2.0
// What kernels under test share: poisoned shared memory, and a warp that comes late.
#pragma once
#include "pattern.hpp"

namespace tilepipe_test {

__device__ inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned block_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// Fills shared memory before it is used. Every thread of the block calls it; ends with a barrier of
// the block. The writes are generic: each writer fences them, so that a bulk copy may follow.
__device__ inline void poison_shared(void* memory, unsigned bytes) {
  unsigned char* p = static_cast<unsigned char*>(memory);
  for (unsigned i = block_rank(); i < bytes; i += block_threads()) p[i] = shared_poison;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  __syncthreads();
}

__device__ inline void spin(int clocks) {
  const long long start = clock64();
  while (clock64() - start < clocks) {}
}
// One warp of the block, or one lane of it, spins at chosen tiles.
template <class Delay>
__device__ inline void maybe_delay(const Delay& d, long long tile) {
  if (d.warp < 0) return;
  const int rank = static_cast<int>(block_rank());
  if (rank / 32 == d.warp && (d.lane < 0 || rank % 32 == d.lane) && tile % d.every == 0)
    spin(d.clocks);
}

}  // namespace tilepipe_test
