// SPDX-License-Identifier: Apache-2.0
// The kernels of example 11 are clean and right, all blocks of small products.
#include "example_kernels.hpp"
#include "support/catch.hpp"

using namespace check_test;

namespace {

struct Sgemm {
  Address a, b, c;
  int m, n, k;
  long long lda, ldb, ldc;
};

// A and B of small integers, so that sums are exact; what lies between the rows is not read.
void multiply(const char* kernel, int m, int n, int k, int pad) {
  const std::size_t lda = static_cast<std::size_t>(k + pad),
                    ldb = static_cast<std::size_t>(n + pad);
  auto a = numbers<float>(static_cast<std::size_t>(m) * lda);
  auto b = numbers<float>(static_cast<std::size_t>(k) * ldb);
  for (auto* matrix : {&a, &b})
    for (float& x : *matrix) x -= 125;
  GlobalMemory memory;
  Sgemm g{memory.add(a), memory.add(b), 0, m, n, k, k + pad, n + pad, n + pad};
  g.c = memory.add(std::vector<float>(static_cast<std::size_t>(m) * ldb, 0.5f));
  const Kernel sgemm = kernel_named(kernel);
  const unsigned blocks = m > 128 || n > 128 ? 2 : 1;
  for (unsigned block = 0; block < blocks; ++block) {
    Launch launch(sgemm, memory, {128});
    launch.grid = {blocks, 1, 1};
    launch.index.x = block;
    launch.dynamic_shared = 3 * 8 * (528 + 512) + 256;
    launch.arguments(g);
    const Report report = run(launch, schedules(1));
    INFO(sgemm.name << ", block " << block << "\n" << report.text());
    REQUIRE(report.clean());
  }
  const auto c = memory.read<float>(g.c);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::size_t row = i / ldb, col = i % ldb;
    float expected = 0.5f;
    if (col < static_cast<std::size_t>(n)) {
      expected = 0;
      for (std::size_t p = 0; p < static_cast<std::size_t>(k); ++p)
        expected += a[row * lda + p] * b[p * ldb + col];
    }
    REQUIRE(c[i] == expected);
  }
}

}  // namespace

TEST_CASE("11 multiplies whole tiles, edges within 16 bytes, and rows aligned to 4 bytes") {
  multiply("5ExactEEEEvNS_5Sgemm", 128, 128, 64, 0);
  multiply("ZeroFillEEEEvNS_5Sgemm", 130, 77, 41, 3);
  multiply("7AlignedILi4EEEEEEvNS_5Sgemm", 65, 131, 17, 2);
}
