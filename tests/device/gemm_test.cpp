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

// Products of bf16 are exact in fp32. Each of the k additions, and of those of slices, loses at
// most one unit in the last of fp32's 24 places, 2^-23 of the sum of sizes (Tensor Cores cut off,
// and do not round); the result is rounded to bf16's 8 places, by at most 2^-8 of itself.
double allowed(double sum, double size, int additions) {
  const double added = additions * std::ldexp(size, -23);
  return added + std::ldexp(std::fabs(sum) + added, -8);
}

const SpecialCase& kernel(const std::string& name) {
  static const std::vector<SpecialCase> products = special_cases("gemm"),
                                        sums = special_cases("add_slices");
  for (const auto* cases : {&products, &sums})
    for (const SpecialCase& c : *cases)
      if (c.name == name) return c;
  throw std::runtime_error("no kernel " + name);
}

int patches(const SpecialCase& c, int m, int n) {
  return (m + c.rows - 1) / c.rows * ((n + c.cols - 1) / c.cols);
}

// pad: elements between the end of a row and the next. most: blocks, where there are more patches
// and slices, so that some compute several. Patches but the first `whole` ones are cut into slices.
// What C holds.
Bytes multiply(const std::string& name, int m, int n, int k, int pad, int most, int slices = 1,
               int whole = 0) {
  const SpecialCase& c = kernel("gemm/" + name);
  const int all = patches(c, m, n), cut = slices > 1 ? all - whole : 0;
  const GemmSplit split{all, (k + c.depth - 1) / c.depth, all - cut, slices};
  const unsigned blocks = static_cast<unsigned>(std::min(split.whole + cut * slices, most));
  const GemmExtents g{m, n, k, k + pad, k + pad, n + pad};
  const Bytes a_bytes = matrix(m, k, g.lda, 1), b_bytes = matrix(n, k, g.ldb, 2);
  const DeviceBuffer a(a_bytes), b(b_bytes);
  const DeviceBuffer out(static_cast<std::size_t>(2 * m * g.ldc), 0, output_poison);
  const DeviceBuffer sums(16 + sizeof(float) * static_cast<std::size_t>(cut) *
                                   static_cast<std::size_t>(slices * c.rows * c.cols),
                          0, output_poison);
  Launch record = make_launch(c.name, c.kernel, Dim{blocks, 1, 1},
                              Dim{static_cast<unsigned>(c.threads), 1, 1}, c.shared_bytes);
  record.arguments =
      gemm_arguments(a.address(), b.address(), out.address(), sums.address(), g, split);
  launch(record);
  if (cut > 0) {
    const SpecialCase& add = kernel("add_slices/" + name);
    record = make_launch(add.name, add.kernel, Dim{static_cast<unsigned>(cut * add.blocks), 1, 1},
                         Dim{static_cast<unsigned>(add.threads), 1, 1}, 0);
    record.arguments = add_slices_arguments(sums.address(), out.address(), g, split);
    launch(record);
  }

  const bool few = 1ll * m * n * k <= 1 << 20;
  const Expected expected = few ? on_cpu(a_bytes, b_bytes, g) : on_gpu(a, b, g);
  const Bytes bytes = out.read();
  const auto got = bits_of(bytes);
  long long wrong = 0, first = -1;
  for (long long at = 0; at < m * g.ldc; ++at) {
    const long long row = at / g.ldc, col = at % g.ldc;
    const unsigned short bits = got[static_cast<std::size_t>(at)];
    bool right = bits == (output_poison | output_poison << 8);
    if (col < n) {
      const auto i = static_cast<std::size_t>(row * n + col);
      const double error = std::fabs(float_of(bits) - expected.sums[i]);
      right = error <=
              allowed(expected.sums[i], expected.sizes[i], k + slices - 1);  // not where it is NaN
    }
    if (right) continue;
    if (wrong++ == 0) first = at;
  }
  INFO(c.name << ", " << m << " x " << n << " x " << k << ", pad " << pad << ", " << blocks
              << " blocks, " << slices << " slices of " << cut << " patches: first wrong at "
              << first << " of " << m * g.ldc);
  CHECK(wrong == 0);
  CHECK(out.broken_guard() == std::string());
  CHECK(sums.broken_guard() == std::string());
  return bytes;
}

// Kernels whose pieces rows of k elements are made of.
std::vector<const char*> kernels_for(int k) {
  if (k % 2 != 0) return {"small_2", "single"};
  if (k % 4 != 0) return {"small_4"};
  if (k % 8 != 0) return {"small_8"};
  return {"small_16", "wide", "tall", "low"};
}

const int extents[] = {1, 7, 8, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 257, 1000};
constexpr int number = sizeof extents / sizeof extents[0];
constexpr const char* zero_filling[] = {"small_2",  "single", "small_4", "small_8",
                                        "small_16", "wide",   "tall",    "low"};
constexpr std::size_t gemm_kernels = 9;  // those, and one for whole tiles

}  // namespace

TEST_CASE("the GEMM is within the error of its formats when extents are any pair of fifteen",
          "[device]") {
  REQUIRE(special_cases("gemm").size() == gemm_kernels);
  // A Latin square: each pair of m and n, of m and k, of n and k comes once. Numbers of slices,
  // more than there are steps along K among them, go across it.
  constexpr int slices[] = {1, 2, 3, 5};
  for (int i = 0; i < number; ++i)
    for (int j = 0; j < number; ++j) {
      const int k = extents[(i + j) % number];
      const int blocks = (i + j) % 3 == 0 ? 3 : 64;
      for (const char* name : kernels_for(k))
        multiply(name, extents[i], extents[j], k, 0, blocks, slices[(i + 2 * j) % 4]);
    }
}

TEST_CASE("the GEMM is within the error of its formats when rows are apart", "[device]") {
  for (const char* name : zero_filling) {
    const SpecialCase& c = kernel(std::string("gemm/") + name);
    expect_architecture(c.kernel);
    const int piece = c.in_bytes / 2;
    for (const int k : {piece, 9 * piece, 33 * piece}) {
      multiply(name, 129, 257, k, piece, 64);
      multiply(name, 300, 66, k, 3 * piece, 2);
    }
    multiply(name, 5, 3, 0, piece, 1);
  }
}

TEST_CASE("the GEMM is within the error of its formats when tiles are whole", "[device]") {
  multiply("wide_exact", 128, 256, 64, 0, 1);
  multiply("wide_exact", 384, 512, 192, 0, 4);
  multiply("wide_exact", 256, 768, 1024, 8, 64);
}

TEST_CASE("the GEMM gives the same bits each time when patches are cut along K", "[device]") {
  REQUIRE(special_cases("add_slices").size() == gemm_kernels);
  for (const char* name : zero_filling) {
    const int piece = kernel(std::string("gemm/") + name).in_bytes / 2;
    // No step, less than one, less steps than slices, as many, more.
    for (const int k : {0, piece, 65 * piece, 7 * 64, 1000 * piece})
      for (const int slices : {2, 7, 16}) {
        const Bytes once = multiply(name, 300, 520, k, piece, 64, slices);
        CHECK((multiply(name, 300, 520, k, piece, 3, slices) == once));
        multiply(name, 300, 520, k, 0, 5, slices, 1);  // a whole patch before them
      }
  }
  for (const int slices : {2, 3, 16}) {
    const Bytes once = multiply("wide_exact", 384, 512, 1024, 0, 64, slices);
    CHECK((multiply("wide_exact", 384, 512, 1024, 0, 5, slices) == once));
    multiply("wide_exact", 384, 512, 1024, 0, 7, slices, 2);
  }
}

TEST_CASE("small launches of the GEMM", "[device][sanitize]") {
  for (const char* name : zero_filling) {
    const int piece = kernel(std::string("gemm/") + name).in_bytes / 2;
    multiply(name, 130, 257, 19 * piece, 0, 2);
  }
  multiply("wide_exact", 128, 256, 128, 0, 1);
  for (const char* name : {"small_2", "small_16"}) multiply(name, 130, 100, 72, 0, 2, 2);
}
