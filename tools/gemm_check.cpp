// SPDX-License-Identifier: Apache-2.0
// The GEMM example without a GPU: runs its kernels from their PTX and compares with sums on the
// CPU.
//
// Usage: gemm_check FILE.ptx
#include <tilepipe/check/launch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "../examples/support/split.hpp"

namespace {

namespace check = tilepipe::check;

// What a kernel's mangled name says of example::gemm_kernel<GemmShape<...>, options...>.
struct Shape {
  int m = 0, n = 0, k = 0, stages = 0, warps_m = 0, warps_n = 0;
  bool exact = false;
  int aligned = 0;  // to bytes: the pieces that are copied

  explicit Shape(const std::string& name) {
    const std::size_t at = name.find("GemmShapeI");
    char piece[8] = {};
    if (at == std::string::npos ||
        std::sscanf(name.c_str() + at, "GemmShapeILi%dELi%dELi%dELi%dELi%dELi%dE%7[a-z0-9]", &m, &n,
                    &k, &stages, &warps_m, &warps_n, piece) != 7)
      throw check::Unsupported("the name of kernel " + name);
    exact = name.find("5ExactE") != std::string::npos;
    const std::string type = piece;
    aligned = type == "5uint4" ? 16 : type == "5uint2" ? 8 : type == "j" ? 4 : 2;
  }
  // What the names of kernels of the same shape share.
  static std::string key(const std::string& name) {
    const std::size_t at = name.find("GemmShapeI");
    return at == std::string::npos ? "" : name.substr(at, name.find("EE", at) - at + 2);
  }
  std::string text() const {
    return std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k) +
           (exact ? ", whole tiles" : ", edges") + ", " + std::to_string(aligned) +
           "-byte alignment";
  }
};

// The kernel's arguments.
struct Gemm {
  check::Address a, b, c;
  int m, n, k;
  long long lda, ldb, ldc;
  check::Address sums;
};

// -1, 0 and 1: all sums are bf16 numbers, whose bits are a float's upper half.
int value(long long i) { return static_cast<int>(((i * 2654435761ll) >> 7) % 3) - 1; }
std::uint16_t bf16(int n) {
  const auto f = static_cast<float>(n);
  std::uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16);
}
std::vector<std::uint16_t> matrix(long long size, int salt) {
  std::vector<std::uint16_t> all(static_cast<std::size_t>(size));
  for (long long i = 0; i < size; ++i) all[static_cast<std::size_t>(i)] = bf16(value(i + salt));
  return all;
}

// One block that computes two patches of C, the second one, at the edge, in two slices along K, and
// the blocks of `adding` that add these. True if clean and right.
bool run(const check::Kernel& kernel, const check::Kernel& adding) {
  const Shape shape(kernel.name);
  const int step = shape.aligned / 2;  // elements of a piece
  const int m = shape.exact ? 2 * shape.m : shape.m + 21, n = shape.exact ? shape.n : shape.n - 3;
  const int k = shape.exact ? 2 * shape.k : shape.k + std::max(step, 13 / step * step);
  const int shift = shape.exact ? 0 : step;  // aligned as promised, no more
  const long long lda = k + shift, ldc = n + 8;
  const auto a = matrix(m * lda + shift, 1), b = matrix(n * lda + shift, 5);
  check::GlobalMemory memory;
  const check::Address at_a = memory.add(a), at_b = memory.add(b),
                       at_c = memory.add_output<std::uint16_t>(static_cast<std::size_t>(m * ldc)),
                       at_sums = memory.add_output<float>(
                           static_cast<std::size_t>(2 * shape.m * shape.n));
  const auto offset = static_cast<check::Address>(2 * shift);
  check::Launch launch(kernel, memory,
                       {static_cast<std::uint32_t>(shape.warps_m * shape.warps_n * 32)});
  launch.dynamic_shared = 200 * 1024;
  const int steps = (k + shape.k - 1) / shape.k;
  const support::Split split = support::make_split(2, steps, 1, 2);
  launch.arguments(Gemm{at_a + offset, at_b + offset, at_c, m, n, k, lda, lda, ldc, at_sums},
                   split);
  check::Launch add(adding, memory, launch.block);
  add.arguments(at_sums, split, at_c, m, n, ldc);
  const int parts = shape.m * shape.n / (16 * 32) / (shape.warps_m * shape.warps_n);
  add.grid.x = static_cast<std::uint32_t>(parts);

  const auto start = std::chrono::steady_clock::now();
  check::Report report = check::run(launch, check::schedules(0));
  for (; add.index.x < add.grid.x; ++add.index.x) report.add(check::run(add, check::schedules(0)));
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const auto c = memory.read<std::uint16_t>(at_c);
  long long wrong = 0;
  for (long long i = 0; i < m; ++i)
    for (long long j = 0; j < ldc; ++j) {
      int sum = 0;
      for (long long p = 0; p < k && j < n; ++p)
        sum += value(i * lda + p + shift + 1) * value(j * lda + p + shift + 5);
      wrong += c[static_cast<std::size_t>(i * ldc + j)] != (j < n ? bf16(sum) : 0xffff);
    }
  std::printf("  %s, C of %d x %d: %s, %s; %.1f million instructions, %.1f s\n%s",
              shape.text().c_str(), m, n, report.clean() ? "clean" : "NOT CLEAN",
              wrong == 0 ? "right" : "WRONG", 1e-6 * static_cast<double>(report.instructions),
              time.count(), report.text().c_str());
  if (wrong != 0) std::printf("  %lld elements are wrong\n", wrong);
  return report.clean() && wrong == 0;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gemm_check FILE.ptx\n");
    return 2;
  }
  const check::Module module = check::Module::from_file(argv[1]);
  int kernels = 0;
  bool right = true;
  for (const std::string& name : module.names()) {
    if (name.find("gemm_kernel") == std::string::npos) continue;
    ++kernels;
    std::string adding = "that adds slices for " + name;
    for (const std::string& other : module.names())
      if (other.find("add_slices") != std::string::npos && Shape::key(other) == Shape::key(name))
        adding = other;
    right = run(module.kernel(name), module.kernel(adding)) && right;
  }
  if (kernels == 0) std::printf("%s has no kernel of the GEMM\n", argv[1]);
  return right && kernels != 0 ? 0 : 1;
} catch (const check::Unsupported& e) {
  std::fprintf(stderr, "gemm_check: %s\n", e.what());
  return 2;
}
