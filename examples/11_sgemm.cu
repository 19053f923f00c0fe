// SPDX-License-Identifier: Apache-2.0
// A GEMM in fp32 on the FMA units, double-buffered in registers and fed by a pipeline of three
// stages: any extents and pitches.
#include <cmath>
#include <cstdlib>
#include <vector>

#include "11_sgemm.cuh"
#include "support/references.hpp"
#include "support/report.cuh"
#include "support/timing.cuh"

namespace {

// Compares with sums on the CPU, of small integers: every sum is exact in fp32, in any order. The
// pitches are pad elements wider than the rows; what lies between the rows of C must stay as it
// was.
bool right(const char* name, int m, int n, int k, int pad) {
  const long long lda = k + pad, ldb = n + pad, ldc = n + pad;
  const auto a = support::random_integers<float>(m * lda, 8, 1);
  const auto b = support::random_integers<float>(k * ldb, 8, 2);
  std::vector<float> expected(m * ldc, -0.0f);
  for (long long i = 0; i < m; ++i) {
    std::vector<float> sums(n);
    for (long long p = 0; p < k; ++p)
      for (long long j = 0; j < n; ++j) sums[j] += a[i * lda + p] * b[p * ldb + j];
    std::copy(sums.begin(), sums.end(), expected.begin() + i * ldc);
  }
  const support::Buffer<float> device_a(a), device_b(b);
  support::Buffer<float> device_c(std::vector<float>(expected.size(), -0.0f));
  support::check(
      example::sgemm({device_a.data(), device_b.data(), device_c.data(), m, n, k, lda, ldb, ldc}),
      name);
  support::check_kernel(name);
  return support::same(name, device_c.to_host(), expected);
}

// Random values: each of the k additions rounds to 24 places, by at most 2^-24 of the sum so far.
bool within_rounding(int m, int n, int k) {
  const auto a = support::random_floats(static_cast<std::size_t>(m) * k, 3);
  const auto b = support::random_floats(static_cast<std::size_t>(k) * n, 4);
  const support::Buffer<float> device_a(a), device_b(b);
  support::Buffer<float> device_c(static_cast<std::size_t>(m) * n);
  device_c.fill_bytes(0xff);
  support::check(
      example::sgemm({device_a.data(), device_b.data(), device_c.data(), m, n, k, k, n, n}),
      "random values");
  support::check_kernel("random values");
  const auto c = device_c.to_host();
  int wrong = 0;
  for (std::size_t i = 0; i < c.size(); i += 37) {
    double sum = 0, size = 0;
    for (int p = 0; p < k; ++p) {
      const double x = double{a[i / n * k + p]} * b[static_cast<std::size_t>(p) * n + i % n];
      sum += x;
      size += std::fabs(x);
    }
    wrong += !(std::fabs(c[i] - sum) <= k * size * 0x1p-24);
  }
  std::printf("random values: %s\n", wrong == 0 ? "within k * 2^-24 of the sum of sizes" : "WRONG");
  return wrong == 0;
}

void time(int size) {
  const std::size_t elements = static_cast<std::size_t>(size) * size;
  const support::Buffer<float> a(support::random_floats(elements, 3)),
      b(support::random_floats(elements, 4));
  support::Buffer<float> c(elements);
  const example::Sgemm g{a.data(), b.data(), c.data(), size, size, size, size, size, size};
  const float ms =
      support::median_milliseconds([&] { support::check(example::sgemm(g), "sgemm"); });
  std::printf("%d x %d x %d: %.1f TFLOP/s\n", size, size, size, 2e-9 * size * size * size / ms);
}

}  // namespace

// 11_sgemm [size]: the checks, and the speed for size x size x size, 4096 unless given.
int main(int argc, char** argv) {
  if (!support::find_device()) return support::skipped;
  const int arch = support::running_arch(example::sgemm_kernel<tilepipe::Exact>);
  support::print_path<tilepipe::TileLoader<example::SgemmA>>("A, transposed", arch);
  support::print_path<tilepipe::TileLoader<example::SgemmB>>("B, 16-byte aligned", arch);

  bool all = true;
  all = right("whole tiles", 256, 384, 64, 0) && all;
  all = right("whole tiles, more of them than blocks", 2560, 1792, 32, 0) && all;
  all = right("edges, 16-byte aligned", 200, 332, 136, 8) && all;
  all = right("edges within 16 bytes", 131, 253, 77, 3) && all;
  all = right("edges, 4-byte aligned", 129, 127, 70, 1) && all;
  all = right("edges, more tiles than blocks", 1537, 3331, 41, 2) && all;
  all = right("one element", 1, 1, 1, 0) && all;
  all = right("no terms", 5, 3, 0, 8) && all;
  all = within_rounding(200, 300, 1000) && all;
  time(argc > 1 ? std::atoi(argv[1]) : 4096);
  return all ? support::passed : support::failed;
}
