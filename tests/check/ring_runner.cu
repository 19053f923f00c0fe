// SPDX-License-Identifier: Apache-2.0
// Runs kernels of rings.cu on a GPU and compares what they wrote with a loop on the host.
//
//   ring_runner FILE THREADS TILES RUNS KERNEL...            FILE: PTX or a cubin
// Prints each kernel that is right in every run; the first that is not ends the process. Exit
// status: 0 right, 1 wrong results, 3 the kernel failed, 4 it is not in the file, 5 it does not
// end, 77 no GPU.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../support/device_compare.cuh"

namespace {

constexpr int elements = 128;  // of a tile
constexpr std::chrono::milliseconds longest_run{1500};
constexpr int looked_at = 50;  // launches between two looks at the device

[[noreturn]] void finish(int status, const std::string& what) {
  std::printf("%s\n", what.c_str());
  std::fflush(stdout);
  std::_Exit(status);  // what still runs on the device ends with the process
}
void require_or(int status, cudaError_t error) {
  if (error != cudaSuccess) finish(status, cudaGetErrorString(error));
}
void require(cudaError_t error, const char*) { require_or(3, error); }
void wait_for_device() {
  const auto begin = std::chrono::steady_clock::now();
  cudaError_t state = cudaErrorNotReady;
  while ((state = cudaStreamQuery(nullptr)) == cudaErrorNotReady)
    if (std::chrono::steady_clock::now() - begin > longest_run) finish(5, "does not end");
  require(state, "kernel");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) finish(4, "usage: ring_runner FILE THREADS TILES RUNS KERNEL...");
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) finish(77, "no GPU");
  std::ifstream file(argv[1], std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(file), {}};
  const auto threads = static_cast<unsigned>(std::atoi(argv[2]));
  int tiles = std::atoi(argv[3]);
  const int runs = std::atoi(argv[4]);
  cudaLibrary_t library{};
  require_or(4,
             cudaLibraryLoadData(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  std::vector<float> in(static_cast<std::size_t>(tiles) * elements);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 8191);
  std::vector<unsigned> wanted(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float value = 2 * in[i / elements * elements + elements - 1 - i % elements];
    std::memcpy(&wanted[i], &value, sizeof value);
  }
  const std::size_t bytes = in.size() * sizeof(float);
  float *from = nullptr, *to = nullptr;
  require(cudaMalloc(&from, bytes), "cudaMalloc");
  require(cudaMalloc(&to, bytes), "cudaMalloc");
  require(cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice), "copy");
  test_support::DeviceCompare compare(require);
  for (int k = 5; k < argc; ++k) {
    cudaKernel_t kernel{};
    require_or(4, cudaLibraryGetKernel(&kernel, library, argv[k]));
    compare.expect(wanted, std::vector<unsigned char>(wanted.size(), 1));
    for (int run = 0; run < runs; ++run) {
      require(cudaMemsetAsync(to, 0xff, bytes), "poison");
      void* arguments[] = {&from, &to, &tiles};
      require(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(threads),
                               arguments, 0, nullptr),
              "launch");
      compare.compare(reinterpret_cast<const unsigned*>(to), static_cast<unsigned>(run));
      if (run % looked_at == 0 || run == runs - 1) wait_for_device();
    }
    const test_support::Difference found = compare.found();
    if (found.number != 0)
      finish(1, std::string(argv[k]) + ": wrong in run " + std::to_string(found.launch));
    std::printf("%s\n", argv[k]);
    std::fflush(stdout);
  }
  std::_Exit(0);
}
