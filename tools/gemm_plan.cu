// SPDX-License-Identifier: Apache-2.0
// The GEMM example without a GPU: its kernels, their paths, and what fits each card.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tilepipe/host/plan.hpp>

#include "03_gemm_tensor_core.cuh"

namespace {

using example::Small;
using example::Wide;

// A line that names the kernel for gemm_report.py, then what its pipeline does on an architecture.
template <class Shape, class Edge>
void print_kernel(const char* options, const char* what, int arch) {
  using A = typename Shape::template Loader<typename Shape::TileA, Edge>;
  using B = typename Shape::template Loader<typename Shape::TileB, Edge>;
  using Team = tilepipe::Block<Shape::threads>;
  const auto plan = tilepipe::host::plan_pipeline<typename Shape::Ring, Team, A, B>(
      Shape::threads, "load_a", "load_b");
  std::printf("kernel\t%dx%dx%d %s\t%s\n%s", Shape::m, Shape::n, Shape::k, options, what,
              tilepipe::host::report(arch, plan).c_str());
}

void print_kernels(int arch) {
  using tilepipe::ZeroFill;
  print_kernel<Wide, tilepipe::Exact>("uint4 Exact", "128 x 256 x 64, whole tiles", arch);
  print_kernel<Wide, ZeroFill>("uint4 ZeroFill", "128 x 256 x 64, any extents", arch);
  print_kernel<example::Tall, ZeroFill>("uint4 ZeroFill", "256 x 128 x 64, any extents", arch);
  print_kernel<example::Low, ZeroFill>("uint4 ZeroFill", "64 x 128 x 64, any extents", arch);
  print_kernel<Small<uint4>, ZeroFill>("uint4 ZeroFill", "128 x 128 x 32, any extents", arch);
  print_kernel<Small<uint2>, ZeroFill>("uint2 ZeroFill", "128 x 128 x 32, 8-byte alignment", arch);
  print_kernel<Small<unsigned>, ZeroFill>("unsigned int ZeroFill",
                                          "128 x 128 x 32, 4-byte alignment", arch);
  print_kernel<Small<unsigned short>, ZeroFill>("unsigned short ZeroFill",
                                                "128 x 128 x 32, 2-byte alignment", arch);
}

}  // namespace

// gemm_plan kernels ARCH
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  const int arch = argc > 2 ? std::atoi(argv[2]) : 0;
  if (std::strcmp(what, "kernels") == 0 && arch > 0) {
    print_kernels(arch);
    return 0;
  }
  std::fprintf(stderr, "usage: gemm_plan kernels ARCH\n");
  return 2;
}
