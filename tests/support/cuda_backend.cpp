// SPDX-License-Identifier: Apache-2.0
// The GPU as back end: CUDA runtime calls, with a bounded wait for each kernel.
#include <cuda_runtime.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <thread>
#include <tilepipe/host/tensor_map.hpp>

#include "kernel_symbol.hpp"
#include "launch.hpp"

namespace tilepipe_test {
namespace {

void check(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  throw LaunchError(what + ": " + cudaGetErrorName(error) + ", " + cudaGetErrorString(error));
}

class CudaBackend final : public Backend {
 public:
  const char* name() const override { return "cuda"; }

  void* allocate(std::size_t bytes) override {
    void* address = nullptr;
    check(cudaMalloc(&address, bytes > 0 ? bytes : 1),
          "cudaMalloc of " + std::to_string(bytes) + " bytes");
    return address;
  }
  void deallocate(void* address) noexcept override { cudaFree(address); }
  void write(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device");
  }
  void read(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy to the host");
  }
  void set(void* to, int byte, std::size_t bytes) override {
    if (bytes > 0) check(cudaMemset(to, byte, bytes), "cudaMemset");
  }

  KernelInfo info(const void* kernel) override {
    const cudaFuncAttributes a = attributes(kernel);
    return {a.ptxVersion, a.binaryVersion, a.sharedSizeBytes, a.numRegs, a.localSizeBytes};
  }

  tilepipe::TensorMap tensor_map(const tilepipe::TensorMapRequest& request, bool always) override {
    using tilepipe::host::SmallTensorWorkaround;
    return tilepipe::host::encode_tensor_map(
        request, always ? SmallTensorWorkaround::always : SmallTensorWorkaround::where_documented);
  }

  const void* zeros() override { return tilepipe::host::device_zeros(); }

  std::string symbol(const void* kernel) override {
    const char* text = nullptr;
    if (cudaFuncGetName(&text, kernel) == cudaSuccess && text != nullptr) return text;
    return kernel_symbol(kernel);
  }

  void run(const Launch& record) override {
    if (record.shared_bytes > 0) allow(record);
    std::vector<void*> arguments;
    for (const Argument& a : record.arguments)
      arguments.push_back(const_cast<unsigned char*>(a.bytes.data()));
    check(cudaLaunchKernel(record.kernel, dim3(record.grid.x, record.grid.y, record.grid.z),
                           dim3(record.block.x, record.block.y, record.block.z), arguments.data(),
                           record.shared_bytes, nullptr),
          record.name + ": launch");
    wait(record);
  }

 private:
  static cudaFuncAttributes attributes(const void* kernel) {
    cudaFuncAttributes a{};
    check(cudaFuncGetAttributes(&a, kernel), "cudaFuncGetAttributes");
    return a;
  }

  void allow(const Launch& record) {
    std::size_t& allowed = allowed_[record.kernel];
    if (record.shared_bytes <= allowed) return;
    if (record.shared_bytes + attributes(record.kernel).sharedSizeBytes > 48 * 1024)
      check(cudaFuncSetAttribute(record.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(record.shared_bytes)),
            record.name + ": " + std::to_string(record.shared_bytes) + " bytes of shared memory");
    allowed = record.shared_bytes;
  }

  static void wait(const Launch& record) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    for (;;) {
      const cudaError_t state = cudaStreamQuery(nullptr);
      if (state != cudaErrorNotReady) break;
      const double passed = std::chrono::duration<double>(Clock::now() - start).count();
      if (passed > time_limit()) {
        std::fprintf(stdout, "HANG: test \"%s\", kernel \"%s\" still runs after %.0f s\n",
                     current_test().c_str(), record.name.c_str(), passed);
        std::fflush(nullptr);
        _exit(124);
      }
      if (passed > 0.001) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    check(cudaDeviceSynchronize(), record.name);  // also brings what the kernel printed
  }

  std::map<const void*, std::size_t> allowed_;
};

}  // namespace

Backend& cuda_backend() {
  static CudaBackend cuda;
  return cuda;
}

bool cuda_available(std::string& why_not) {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0) return true;
  why_not = error == cudaSuccess ? "no CUDA device" : cudaGetErrorString(error);
  return false;
}

}  // namespace tilepipe_test
