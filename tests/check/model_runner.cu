// SPDX-License-Identifier: Apache-2.0
// Runs kernels on a GPU that the checker has called right or not, and compares what they wrote with
// a loop on the host.
//
//   model_runner library FILE TILES RUNS KERNEL...           of library_kernels.cu
//   model_runner ring FILE THREADS TILES RUNS KERNEL...      of rings.cu
// FILE is PTX or a cubin. Prints each kernel that is right in every run; the first that is not ends
// the process, with the exit status of tests/mutants/runner.cu.
#define main run_one_kernel  // of the mutants' runner, whose launches of library kernels these are
#include "../mutants/runner.cu"
#undef main

namespace {

constexpr int ring_elements = 128;  // of a tile

void run_ring(cudaKernel_t kernel, unsigned threads, int tiles, int runs) {
  std::vector<float> in(static_cast<std::size_t>(tiles) * ring_elements), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 8191);
  const std::size_t bytes = in.size() * sizeof(float);
  float *from = nullptr, *to = nullptr;
  require(cudaMalloc(&from, bytes), "cudaMalloc");
  require(cudaMalloc(&to, bytes), "cudaMalloc");
  require(cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice), "copy");
  for (int run = 0; run < runs; ++run) {
    require(cudaMemset(to, 0xff, bytes), "poison");
    void* arguments[] = {&from, &to, &tiles};
    require(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(threads),
                             arguments, 0, nullptr),
            "launch");
    wait_for_device();
    require(cudaMemcpy(out.data(), to, bytes, cudaMemcpyDeviceToHost), "copy");
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t turned = i / ring_elements * ring_elements + ring_elements - 1;
      if (out[i] != 2 * in[turned - i % ring_elements])
        finish(wrong, "wrong: element " + std::to_string(i) + ", run " + std::to_string(run));
    }
  }
  cudaFree(from);
  cudaFree(to);
}

}  // namespace

int main(int argc, char** argv) {
  const bool ring = argc > 1 && std::string(argv[1]) == "ring";
  const int first = ring ? 6 : 5;  // of the kernels
  if (argc <= first) finish(not_loaded, "usage: see model_runner.cu");
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    finish(skipped, "skipped: no GPU");
  std::ifstream file(argv[2], std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  const std::string code = text.str();
  cudaLibrary_t library{};
  require(cudaLibraryLoadData(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          "load", not_loaded);
  const int tiles = std::atoi(argv[first - 2]), runs = std::atoi(argv[first - 1]);
  for (int k = first; k < argc; ++k) {
    cudaKernel_t kernel{};
    require(cudaLibraryGetKernel(&kernel, library, argv[k]), "find the kernel", not_loaded);
    if (ring)
      run_ring(kernel, static_cast<unsigned>(std::atoi(argv[3])), tiles, runs);
    else
      run(kernel, shape_of(argv[k]), tiles, static_cast<unsigned>(runs));
    std::printf("%s\n", argv[k]);
    std::fflush(stdout);
  }
  std::_Exit(right);
}
