// SPDX-License-Identifier: Apache-2.0
// transform() writes every element of every tile to its place, whatever the output's alignment.
#include "expect_right.hpp"
#include "special_kernels.hpp"
#include "support/catch.hpp"
#include "support/device_buffer.hpp"
#include "support/pattern.hpp"

using namespace tilepipe_test;

namespace {

// offset: of the output, in bytes past a multiple of 256.
void transform(const SpecialCase& c, long long tiles, int offset) {
  constexpr unsigned grid = 2;
  const std::size_t elements =
      static_cast<std::size_t>(tiles) * grid * static_cast<std::size_t>(c.teams * c.rows * c.cols);
  const std::size_t in_bytes = static_cast<std::size_t>(c.in_bytes),
                    out_bytes = static_cast<std::size_t>(c.out_bytes);
  const Bytes content = source_bytes(elements * in_bytes);
  Bytes expected;
  for (std::size_t i = 0; i < elements; ++i)
    for (std::size_t b = 0; b < out_bytes; ++b)
      expected.push_back(content[i * in_bytes + b % in_bytes] ^ transform_key(static_cast<int>(b)));
  const DeviceBuffer in(content);
  const DeviceBuffer out(elements * out_bytes, static_cast<std::size_t>(offset), output_poison);
  launch(make_launch(c.name, c.kernel, Dim{grid, 1, 1}, Dim{static_cast<unsigned>(c.threads), 1, 1},
                     c.shared_bytes, in.address(), out.address(), tiles));
  INFO(c.name << ", " << tiles << " tiles, output at " << offset);
  const Bytes got = out.read();
  std::size_t wrong = 0;
  while (wrong < got.size() && got[wrong] == expected[wrong]) ++wrong;
  CHECK(wrong == got.size());  // else the first byte that differs
  CHECK(out.broken_guard() == std::string());
  CHECK((in.read() == content));
}

int alignment_of(int bytes) { return bytes & -bytes; }

}  // namespace

TEST_CASE("transform writes every element when the output is aligned and when it is not",
          "[device]") {
  REQUIRE(special_cases("transform").size() == 85);
  for (const SpecialCase& c : special_cases("transform")) {
    expect_architecture(c.kernel);
    for (const long long tiles : {1, 5})
      for (int offset = 0; offset <= 16; offset += alignment_of(c.out_bytes))
        transform(c, tiles, offset);
  }
}

TEST_CASE("small launches of transform", "[device][sanitize]") {
  for (const SpecialCase& c : special_cases("transform"))
    for (const int offset : {0, alignment_of(c.out_bytes)}) transform(c, 3, offset);
}
