// SPDX-License-Identifier: Apache-2.0
// Barriers among threads of a block. PTX ISA, "Parallel Synchronization and Communication
// Instructions: bar, barrier".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// Barrier id 0..15 of the block, for threads (a multiple of 32) in all; whole warps call. id 0 is
// __syncthreads().
TILEPIPE_D void named_barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
// Counts as arrived without waiting.
TILEPIPE_D void named_barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
