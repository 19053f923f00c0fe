// SPDX-License-Identifier: Apache-2.0
// A GEMM on Tensor Cores, fed by a pipeline: any extents and alignment, few and many patches.
#include <cstdlib>
#include <vector>

#include "03_gemm_tensor_core.cuh"
#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"
#include "support/timing.cuh"

namespace {

using example::bf16;
using Bits = std::uint16_t;  // of a bf16

// Small integers: every sum is exact in fp32, in any order.
std::vector<float> integers(std::size_t n, int seed) {
  return support::random_integers<float>(n, 8, seed);
}
std::vector<Bits> bits_of(const std::vector<float>& values) {
  std::vector<Bits> bits;
  for (const float v : values) bits.push_back(support::to_bf16(v));
  return bits;
}

const bf16* as_bf16(const support::Buffer<Bits>& buffer) {
  return reinterpret_cast<const bf16*>(buffer.data());
}
bf16* as_bf16(support::Buffer<Bits>& buffer) { return reinterpret_cast<bf16*>(buffer.data()); }

// Compares with sums on the CPU. The pitches are pad elements wider than the rows; what lies
// between the rows of C must stay as it was.
bool right(const char* name, int m, int n, int k, int pad) {
  const long long lda = k + pad, ldb = k + pad, ldc = n + pad;
  const std::vector<float> a = integers(m * lda, 1), b = integers(n * ldb, 2);
  constexpr Bits untouched = 0xffff;
  std::vector<Bits> expected(m * ldc, untouched);
  for (long long i = 0; i < m; ++i)
    for (long long j = 0; j < n; ++j) {
      float sum = 0;
      for (long long p = 0; p < k; ++p) sum += a[i * lda + p] * b[j * ldb + p];
      expected[i * ldc + j] = support::to_bf16(sum);
    }
  const support::Buffer<Bits> device_a(bits_of(a)), device_b(bits_of(b));
  const support::Buffer<float4> sums(support::slices_space());
  bool all = true;
  for (float4* const space : {static_cast<float4*>(nullptr), sums.data()}) {
    support::Buffer<Bits> device_c(expected.size());
    device_c.fill_bytes(0xff);
    support::check(example::gemm({as_bf16(device_a), as_bf16(device_b), as_bf16(device_c), m, n, k,
                                  lda, ldb, ldc, space}),
                   name);
    support::check_kernel(name);
    all = support::same(name, device_c.to_host(), expected) && all;
  }
  return all;
}

// With slices along K, where they pay, and without.
void time(int m, int n, int k) {
  const auto random = [](int rows, int cols, int seed) {
    return bits_of(support::random_floats(static_cast<std::size_t>(rows) * cols, seed));
  };
  const support::Buffer<Bits> a(random(m, k, 3)), b(random(n, k, 4));
  support::Buffer<Bits> c(static_cast<std::size_t>(m) * n);
  const support::Buffer<float4> sums(support::slices_space());
  for (float4* const space : {sums.data(), static_cast<float4*>(nullptr)}) {
    const example::Gemm g{as_bf16(a), as_bf16(b), as_bf16(c), m, n, k, k, k, n, space};
    const float ms =
        support::median_milliseconds([&] { support::check(example::gemm(g), "gemm"); });
    std::printf("%d x %d x %d, %s slices: %.0f TFLOP/s\n", m, n, k,
                space != nullptr ? "with" : "without", 2e-9 * m * n * k / ms);
  }
}

}  // namespace

// 03_gemm_tensor_core [size]: the check, and the speed for size x size x size, 4096 unless given,
// and for size / 8 x size / 8 x size.
int main(int argc, char** argv) {
  if (!support::find_device()) return support::skipped;
  using Wide = example::Wide;
  const int arch = support::running_arch(example::gemm_kernel<Wide, tilepipe::Exact>);
  support::print_path<tilepipe::TileLoader<Wide::TileA>>("A and B, 16-byte aligned", arch);
  using Odd = tilepipe::TileLoader<example::Small<unsigned short>::TileA, tilepipe::ZeroFill,
                                   tilepipe::Aligned<2>>;
  support::print_path<Odd>("A and B, 2-byte aligned", arch);

  bool all = true;
  all = right("whole tiles", 256, 512, 1024, 0) && all;
  all = right("whole tiles, more of them than blocks", 1792, 2560, 128, 0) && all;
  all = right("edges, 16-byte aligned", 200, 333, 136, 8) && all;
  all = right("edges, 8-byte aligned", 130, 257, 100, 0) && all;
  all = right("edges, 4-byte aligned", 129, 127, 70, 4) && all;
  all = right("edges, 2-byte aligned", 77, 301, 65, 2) && all;
  all = right("edges, more tiles than blocks", 1537, 3331, 72, 8) && all;
  all = right("one element", 1, 1, 1, 0) && all;
  all = right("no terms", 5, 3, 0, 8) && all;
  all = right("slices, whole tiles", 128, 256, 4096, 0) && all;
  all = right("slices, 16-byte aligned", 100, 60, 5000, 8) && all;
  all = right("slices, 8-byte aligned", 130, 300, 3004, 4) && all;
  all = right("slices, 4-byte aligned", 65, 129, 4098, 0) && all;
  all = right("slices, 2-byte aligned", 40, 301, 5001, 2) && all;
  const int size = argc > 1 ? std::atoi(argv[1]) : 4096;
  time(size, size, size);
  time(size / 8, size / 8, size);
  return all ? support::passed : support::failed;
}
