// SPDX-License-Identifier: Apache-2.0
// A GEMM on Tensor Cores, fed by a pipeline of three stages: any extents and alignment.
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
  support::Buffer<Bits> device_c(expected.size());
  device_c.fill_bytes(0xff);
  support::check(example::gemm({as_bf16(device_a), as_bf16(device_b), as_bf16(device_c), m, n, k,
                                lda, ldb, ldc}),
                 name);
  support::check_kernel(name);
  return support::same(name, device_c.to_host(), expected);
}

void time(int size) {
  const std::size_t elements = static_cast<std::size_t>(size) * size;
  const support::Buffer<Bits> a(bits_of(support::random_floats(elements, 3))),
      b(bits_of(support::random_floats(elements, 4)));
  support::Buffer<Bits> c(elements);
  const example::Gemm g{as_bf16(a), as_bf16(b), as_bf16(c), size, size, size, size, size, size};
  const float ms = support::median_milliseconds([&] { support::check(example::gemm(g), "gemm"); });
  std::printf("%d x %d x %d: %.0f TFLOP/s\n", size, size, size, 2e-9 * size * size * size / ms);
}

}  // namespace

// 03_gemm_tensor_core [size]: the check, and the speed for size x size x size, 4096 unless given.
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
  time(argc > 1 ? std::atoi(argv[1]) : 4096);
  return all ? support::passed : support::failed;
}
