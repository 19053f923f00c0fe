// SPDX-License-Identifier: Apache-2.0
// The library's own kernels are clean and right: every completion, path, team and verb.
#include "library_launch.hpp"

#include "ptx_files.hpp"
#include "support/catch.hpp"

using namespace check_test;

TEST_CASE("the library's kernels are clean and right for all tile counts of a ring") {
  const Module module = Module::from_file(ptx_file("library_kernels"));
  std::size_t kernels = 0, launches = 0;
  for (const std::string& name : module.names()) {
    const Kernel kernel = module.kernel(name);
    ++kernels;
    // At most 4 stages, so 17 tiles go round four times.
    for (const int tiles : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 17}) {
      const Outcome outcome = launch_library_kernel(kernel, tiles, schedules(1));
      INFO(name << ", " << tiles << " tiles " << outcome.wrong << "\n" << outcome.report.text());
      CHECK(outcome.report.clean());
      CHECK(outcome.wrong.empty());
      ++launches;
    }
    const Report orders = launch_library_kernel(kernel, 5, {}).report;
    INFO(name << ", every order\n" << orders.text());
    CHECK(orders.clean());
    CHECK(orders.complete);
  }
  CHECK(kernels == (ptx_arch() >= 90 ? 65u : ptx_arch() >= 80 ? 48u : 15u));
  std::printf("%zu kernels, %zu launches, 3 schedules each\n", kernels, launches);
}
