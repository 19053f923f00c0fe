// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime as the examples use it: errors, buffers, and the code that the driver picked.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace support {

// The exit statuses of an example.
inline constexpr int passed = 0;
inline constexpr int failed = 1;
inline constexpr int skipped = 77;

// Ends the program where a call of the runtime failed.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(failed);
}

// Errors of a launch, and those of the kernel itself.
inline void check_kernel(const char* name) {
  check(cudaGetLastError(), name);
  check(cudaDeviceSynchronize(), name);
}

// False, with a line that says so, where there is no GPU: main returns `skipped` then.
inline bool find_device() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return true;
  std::printf("skipped: no CUDA device\n");
  return false;
}

inline int multiprocessors() {
  int device = 0, count = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  return count;
}

// Bytes of dynamic shared memory that a block can have.
inline std::size_t shared_memory_limit() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "cudaDeviceGetAttribute");
  return static_cast<std::size_t>(bytes);
}

// The architecture (75, 80, 90, ...) of the code that runs for a kernel: of the cubin that the
// driver picked, or of the PTX that it compiled.
template <class... Args>
int running_arch(void (*kernel)(Args...)) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)),
        "cudaFuncGetAttributes");
  return attributes.ptxVersion;
}

// n elements in global memory.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t n) : size_(n) {
    check(cudaMalloc(&data_, (n > 0 ? n : 1) * sizeof(T)), "cudaMalloc");
  }
  explicit Buffer(const std::vector<T>& from) : Buffer(from.size()) {
    check(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  // Every byte becomes `byte`, so that a cell that no kernel writes is seen.
  void fill_bytes(int byte) { check(cudaMemset(data_, byte, size_ * sizeof(T)), "cudaMemset"); }
  std::vector<T> to_host() const {
    std::vector<T> to(size_);
    check(cudaMemcpy(to.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return to;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace support
