// SPDX-License-Identifier: Apache-2.0
// The example's GEMM gives every element of C within the error of its formats, and writes no other.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "expect_right.hpp"
#include "gemm_problem.hpp"
#include "special_kernels.hpp"
#include "support/catch.hpp"
#include "support/device_buffer.hpp"

using namespace tilepipe_test;

namespace {

std::vector<unsigned short> bits_of(const Bytes& bytes) {
  std::vector<unsigned short> bits(bytes.size() / 2);
  std::memcpy(bits.data(), bytes.data(), 2 * bits.size());
  return bits;
}
float float_of(unsigned short bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float value = 0;
  std::memcpy(&value, &wide, 4);
  return value;
}
// bf16 of either sign and size 2^-3 to 2^4, so that sums cancel; outside of the view, NaN.
Bytes matrix(long long rows, int cols, long long pitch, unsigned long long seed) {
  Bytes bytes(static_cast<std::size_t>(2 * rows * pitch), 0xff);
  for (long long r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      const auto at =
          static_cast<unsigned long long>(r) * 0x10001u + static_cast<unsigned>(c) + (seed << 40);
      const unsigned bits = source_byte(2 * at) | static_cast<unsigned>(source_byte(2 * at + 1))
                                                      << 8;
      const auto value =
          static_cast<unsigned short>((bits & 0x807f) | (124 + (bits >> 8) % 8) << 7);
      std::memcpy(&bytes[static_cast<std::size_t>(2 * (r * pitch + c))], &value, 2);
    }
  return bytes;
}

// Sums in fp64, by the CPU where they are few, else by a plain kernel; and the sums of sizes.
struct Expected {
  std::vector<double> sums, sizes;
};
Expected on_cpu(const Bytes& a_bytes, const Bytes& b_bytes, const GemmExtents& g) {
  const auto a = bits_of(a_bytes), b = bits_of(b_bytes);
  Expected e;
  for (int i = 0; i < g.m; ++i)
    for (int j = 0; j < g.n; ++j) {
      double sum = 0, size = 0;
      for (int k = 0; k < g.k; ++k) {
        const double product = double{float_of(a[static_cast<std::size_t>(i * g.lda + k)])} *
                               float_of(b[static_cast<std::size_t>(j * g.ldb + k)]);
        sum += product;
        size += std::fabs(product);
      }
      e.sums.push_back(sum);
      e.sizes.push_back(size);
    }
  return e;
}
std::vector<double> doubles(const DeviceBuffer& buffer) {
  const Bytes bytes = buffer.read();
  std::vector<double> values(bytes.size() / 8);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
Expected on_gpu(const DeviceBuffer& a, const DeviceBuffer& b, const GemmExtents& g) {
  const std::size_t elements = static_cast<std::size_t>(g.m) * static_cast<std::size_t>(g.n);
  const DeviceBuffer sums(8 * elements), sizes(8 * elements);
  launch(make_launch("plain product", plain_product_kernel(),
                     Dim{static_cast<unsigned>((elements + 127) / 128), 1, 1}, Dim{128, 1, 1}, 0,
                     a.address(), b.address(), sums.address(), sizes.address(), g));
  return {doubles(sums), doubles(sizes)};
}

// Products of bf16 are exact in fp32. Each of the k additions loses at most one unit in the last of
// fp32's 24 places, 2^-23 of the sum of sizes (Tensor Cores cut off, and do not round); the result
// is rounded to bf16's 8 places, by at most 2^-8 of itself.
double allowed(double sum, double size, int k) {
  const double added = k * std::ldexp(size, -23);
  return added + std::ldexp(std::fabs(sum) + added, -8);
}

// pad: elements between the end of a row and the next. most: blocks, where there are more patches,
// so that some compute several.
void multiply(const SpecialCase& c, int m, int n, int k, int pad, int most) {
  const int patches = ((m + c.rows - 1) / c.rows) * ((n + c.cols - 1) / c.cols);
  const unsigned blocks = static_cast<unsigned>(std::min(patches, most));
  const GemmExtents g{m, n, k, k + pad, k + pad, n + pad};
  const Bytes a_bytes = matrix(m, k, g.lda, 1), b_bytes = matrix(n, k, g.ldb, 2);
  const DeviceBuffer a(a_bytes), b(b_bytes);
  const DeviceBuffer out(static_cast<std::size_t>(2 * m * g.ldc), 0, output_poison);
  Launch record = make_launch(c.name, c.kernel, Dim{blocks, 1, 1},
                              Dim{static_cast<unsigned>(c.threads), 1, 1}, c.shared_bytes);
  record.arguments = {gemm_argument(a.address(), b.address(), out.address(), g)};
  launch(record);

  const bool few = 1ll * m * n * k <= 1 << 20;
  const Expected expected = few ? on_cpu(a_bytes, b_bytes, g) : on_gpu(a, b, g);
  const auto got = bits_of(out.read());
  long long wrong = 0, first = -1;
  for (long long at = 0; at < m * g.ldc; ++at) {
    const long long row = at / g.ldc, col = at % g.ldc;
    const unsigned short bits = got[static_cast<std::size_t>(at)];
    bool right = bits == (output_poison | output_poison << 8);
    if (col < n) {
      const auto i = static_cast<std::size_t>(row * n + col);
      const double error = std::fabs(float_of(bits) - expected.sums[i]);
      right = error <= allowed(expected.sums[i], expected.sizes[i], k);  // not where it is NaN
    }
    if (right) continue;
    if (wrong++ == 0) first = at;
  }
  INFO(c.name << ", " << m << " x " << n << " x " << k << ", pad " << pad << ", " << blocks
              << " blocks: first wrong at " << first << " of " << m * g.ldc);
  CHECK(wrong == 0);
  CHECK(out.broken_guard() == std::string());
}

const SpecialCase& kernel(const char* name) {
  static const std::vector<SpecialCase> cases = special_cases("gemm");
  for (const SpecialCase& c : cases)
    if (c.name == std::string("gemm/") + name) return c;
  throw std::runtime_error(std::string("no kernel ") + name);
}
// Kernels whose pieces rows of k elements are made of.
std::vector<const char*> kernels_for(int k) {
  if (k % 2 != 0) return {"small_2", "single"};
  if (k % 4 != 0) return {"small_4"};
  if (k % 8 != 0) return {"small_8"};
  return {"small_16", "wide", "tall"};
}

const int extents[] = {1, 7, 8, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 257, 1000};
constexpr int number = sizeof extents / sizeof extents[0];

}  // namespace

TEST_CASE("the GEMM is within the error of its formats when extents are any pair of fifteen",
          "[device]") {
  REQUIRE(special_cases("gemm").size() == 8);
  // A Latin square: each pair of m and n, of m and k, of n and k comes once.
  for (int i = 0; i < number; ++i)
    for (int j = 0; j < number; ++j) {
      const int k = extents[(i + j) % number];
      const int blocks = (i + j) % 3 == 0 ? 3 : 64;
      for (const char* name : kernels_for(k))
        multiply(kernel(name), extents[i], extents[j], k, 0, blocks);
    }
}

TEST_CASE("the GEMM is within the error of its formats when rows are apart", "[device]") {
  for (const char* name : {"small_2", "single", "small_4", "small_8", "small_16", "wide", "tall"}) {
    expect_architecture(kernel(name).kernel);
    const int piece = kernel(name).in_bytes / 2;
    for (const int k : {piece, 9 * piece, 33 * piece}) {
      multiply(kernel(name), 129, 257, k, piece, 64);
      multiply(kernel(name), 300, 66, k, 3 * piece, 2);
    }
    multiply(kernel(name), 5, 3, 0, piece, 1);
  }
}

TEST_CASE("the GEMM is within the error of its formats when tiles are whole", "[device]") {
  multiply(kernel("wide_exact"), 128, 256, 64, 0, 1);
  multiply(kernel("wide_exact"), 384, 512, 192, 0, 4);
  multiply(kernel("wide_exact"), 256, 768, 1024, 8, 64);
}

TEST_CASE("small launches of the GEMM", "[device][sanitize]") {
  for (const char* name : {"small_2", "single", "small_4", "small_8", "small_16", "wide", "tall"}) {
    const int piece = kernel(name).in_bytes / 2;
    multiply(kernel(name), 130, 257, 19 * piece, 0, 2);
  }
  multiply(kernel("wide_exact"), 128, 256, 128, 0, 1);
}
