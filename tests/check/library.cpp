// SPDX-License-Identifier: Apache-2.0
// The library's own kernels are clean and right: every completion, path, team and verb.
#include "library_launch.hpp"

#include "ptx_files.hpp"
#include "support/catch.hpp"

using namespace check_test;

namespace {

// All kernels of a file, each for these numbers of tiles, and in every order of its steps unless it
// has too many.
void check_kernels(const std::string& file, const std::vector<int>& tile_counts,
                   std::size_t expected, bool every_order = true) {
  const Module module = Module::from_file(ptx_file(file));
  std::size_t kernels = 0, launches = 0;
  for (const std::string& name : module.names()) {
    const Kernel kernel = module.kernel(name);
    ++kernels;
    for (const int tiles : tile_counts) {
      const Outcome outcome = launch_library_kernel(kernel, tiles, schedules(1));
      INFO(name << ", " << tiles << " tiles " << outcome.wrong << "\n" << outcome.report.text());
      CHECK(outcome.report.clean());
      CHECK(outcome.wrong.empty());
      ++launches;
    }
    if (!every_order) continue;
    const Report orders = launch_library_kernel(kernel, 5, {}).report;
    INFO(name << ", every order\n" << orders.text());
    CHECK(orders.clean());
    CHECK(orders.complete);
  }
  CHECK(kernels == expected);
  std::printf("%zu kernels, %zu launches, 3 schedules each\n", kernels, launches);
}

}  // namespace

TEST_CASE("the library's kernels are clean and right for all tile counts of a ring") {
  // At most 4 stages, so 17 tiles go round four times.
  check_kernels("library_kernels", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 17},
                ptx_arch() >= 90   ? 77
                : ptx_arch() >= 80 ? 50
                                   : 15);
}

TEST_CASE("groups of computing threads, in turns too, and a producer ahead of them are clean") {
  check_kernels("consumers", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 17, 24},
                ptx_arch() >= 90   ? 10
                : ptx_arch() >= 80 ? 6
                                   : 3);
}

TEST_CASE("tiles that go through a ring of stores are clean and right") {
  check_kernels("stores", {0, 1, 2, 3, 4, 5, 7, 13}, 8);
}

TEST_CASE("ends of runs and pipelines, lanes that go apart, and exchanges in groups are clean") {
  const int arch = ptx_arch();
  check_kernels("ends", {1, 4, 17}, arch >= 90 ? 26 : arch >= 80 ? 19 : 8, false);
  check_kernels("exchange", {1, 4, 17}, 5, false);
  if (arch >= 80) check_kernels("apart", {1, 4, 17}, arch >= 90 ? 6 : 2, false);
}
