// SPDX-License-Identifier: Apache-2.0
// Types have one layout in the host's code and in each architecture's; swizzled bytes lie where the
// PTX tables say.
#include "special_kernels.hpp"
#include "support/catch.hpp"
#include "support/device_buffer.hpp"
#include "support/pattern.hpp"
#include "support/swizzle_table.hpp"

using namespace tilepipe_test;

TEST_CASE("sizes, alignments and offsets are the same on host and device", "[device][sanitize]") {
  const std::vector<long long> host = host_layout();
  const std::vector<std::string> names = layout_names();
  REQUIRE(host.size() > 200);
  const DeviceBuffer words(host.size() * sizeof(long long));
  launch(make_launch("layout", layout_kernel(), Dim{1, 1, 1}, Dim{1, 1, 1}, 0, words.address()));
  const Bytes raw = words.read();
  std::vector<long long> device(host.size());
  std::memcpy(device.data(), raw.data(), raw.size());
  for (std::size_t i = 0; i < host.size(); ++i) {
    INFO(names[i]);
    CHECK(device[i] == host[i]);
  }
  CHECK(words.broken_guard() == std::string());
}

TEST_CASE("swizzled bytes lie where the tables of the PTX ISA say", "[device][sanitize]") {
  REQUIRE(special_cases("dump").size() == 4);
  for (const SpecialCase& c : special_cases("dump")) {
    const int width = std::stoi(c.name.substr(5));
    const Bytes content = source_bytes(static_cast<std::size_t>(c.rows) * c.cols * 2);
    const DeviceBuffer in(content), out(static_cast<std::size_t>(c.stages));
    launch(make_launch(c.name, c.kernel, Dim{1, 1, 1}, Dim{static_cast<unsigned>(c.threads), 1, 1},
                       0, in.address(), out.address()));
    const Bytes got = out.read();
    int wrong = 0;
    for (int row = 0; row < c.rows; ++row)
      for (int byte = 0; byte < c.cols * 2; ++byte)
        wrong += got[static_cast<std::size_t>(swizzled_offset(width, c.rows, row, byte))] !=
                 content[static_cast<std::size_t>(row * c.cols * 2 + byte)];
    INFO(c.name);
    CHECK(wrong == 0);
  }
}
