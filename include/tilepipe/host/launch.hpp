// SPDX-License-Identifier: Apache-2.0
// Launch set-up: kernels with more than 48 KiB of shared memory, and what their code was compiled
// for.
#pragma once

#include <cuda_runtime.h>

#include <mutex>
#include <string>

#include "check.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace host {

// Throws Error if a CUDA call failed, with its name.
inline void check_cuda(cudaError_t status, const char* call) {
  if (status != cudaSuccess)
    throw Error(std::string("tilepipe::host: ") + call + " failed: " + cudaGetErrorName(status) +
                ", " + cudaGetErrorString(status));
}

// What prepare() found out about a kernel on the current device.
struct Prepared {
  int arch =
      0;  // that the code which runs was compiled for: 75, 80, ...; its paths follow from this
  index_t static_bytes = 0;     // of shared memory that the kernel declares
  index_t dynamic_bytes = 0;    // of dynamic shared memory, as asked
  index_t available_bytes = 0;  // that the device gives a block, dynamic and static together
};

// Allows a kernel `dynamic_bytes` of dynamic shared memory on the current device; call it before
// the first launch, once for each device. A limit that was set higher before, by anyone, stays: it
// is never lowered. Throws Error if the device does not have that much. Any thread may call it.
inline Prepared prepare(const void* kernel, index_t dynamic_bytes) {
  // The attribute is read and then set: two threads at once could lower each other's.
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  int device = 0;
  int available = 0;
  cudaFuncAttributes now{};
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
             "cudaDeviceGetAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)");
  check_cuda(cudaFuncGetAttributes(&now, kernel), "cudaFuncGetAttributes");
  const auto static_bytes = static_cast<index_t>(now.sharedSizeBytes);
  check_shared_bytes(dynamic_bytes, static_bytes, available);
  if (dynamic_bytes > now.maxDynamicSharedSizeBytes)
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(dynamic_bytes)),
               "cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize)");
  return {now.ptxVersion, static_bytes, dynamic_bytes, available};
}
template <class... Arguments>
Prepared prepare(void (*kernel)(Arguments...), index_t dynamic_bytes) {
  return prepare(reinterpret_cast<const void*>(kernel), dynamic_bytes);
}

// The same, after checking that blocks of `threads` threads can hold the team.
template <class Team, class... Arguments>
Prepared prepare(void (*kernel)(Arguments...), int threads, index_t dynamic_bytes) {
  check_block<Team>(threads);
  return prepare(reinterpret_cast<const void*>(kernel), dynamic_bytes);
}

// Blocks of the kernel that a multiprocessor of the current device holds at a time: registers,
// threads and shared memory counted. Throws Error where it is none. prepare() comes first.
template <class... Arguments>
int blocks_per_sm(void (*kernel)(Arguments...), int threads, index_t dynamic_bytes) {
  int blocks = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                 &blocks, reinterpret_cast<const void*>(kernel), threads,
                 static_cast<std::size_t>(dynamic_bytes)),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  if (blocks == 0)
    throw Error("tilepipe::host::blocks_per_sm: no block of " + std::to_string(threads) +
                " threads with " + std::to_string(dynamic_bytes) +
                " B of dynamic shared memory fits a multiprocessor; use fewer");
  return blocks;
}

}  // namespace host
TILEPIPE_NAMESPACE_END
