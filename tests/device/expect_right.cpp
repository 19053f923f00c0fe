// SPDX-License-Identifier: Apache-2.0
// Assertions that the device tests share, and the lookup in the table of expected paths.
#include "expect_right.hpp"

#include <fnmatch.h>

#include <set>
#include <tilepipe/core/completion.hpp>
#include <tilepipe/core/path.hpp>

#include "expected_paths.hpp"
#include "support/catch.hpp"

namespace tilepipe_test {

std::string path_name(int path) {
  switch (static_cast<tilepipe::Path>(path)) {
    case tilepipe::Path::registers:
      return "registers";
    case tilepipe::Path::cp_async:
      return "cp_async";
    case tilepipe::Path::bulk:
      return "bulk";
    case tilepipe::Path::tensor:
      return "tensor";
    case tilepipe::Path::libcudacxx:
      return "libcudacxx";
    default:
      return "path " + std::to_string(path);
  }
}
std::string completion_name(int completion) {
  switch (static_cast<tilepipe::Completion>(completion)) {
    case tilepipe::Completion::groups:
      return "groups";
    case tilepipe::Completion::mbarrier:
      return "mbarrier";
    case tilepipe::Completion::named_barrier:
      return "named_barrier";
    case tilepipe::Completion::foreign:
      return "foreign";
    default:
      return "completion " + std::to_string(completion);
  }
}

std::string expected_path(const std::string& case_name) {
  for (const ExpectedPath& row : expected_paths)
    if (fnmatch(row.cases, case_name.c_str(), 0) == 0)
      return TILEPIPE_TEST_ARCH >= 90   ? row.on_90
             : TILEPIPE_TEST_ARCH >= 80 ? row.on_80
                                        : row.on_75;
  return "no row of the table fits " + case_name;
}

void expect_architecture(const void* kernel) {
  const int version = backend().info(kernel).ptx_version;
  // The native build holds PTX for 100 too, with the cases and the paths of 90.
  CHECK((version == TILEPIPE_TEST_ARCH || (TILEPIPE_TEST_ARCH == 90 && version == 100)));
}

void expect_right(const CopyCase& c, const Scenario& s) {
  INFO(c.name);
  CHECK(run_copy(c, s) == std::string());
  if (s.geometry.tiles > 0) CHECK(path_name(last_report().path) == expected_path(c.name));

  static std::set<std::string> seen;  // the rest holds for every launch of a case alike
  if (!seen.insert(c.name).second) return;
  expect_architecture(c.kernel);
  auto named = [&](const char* part) { return c.name.find(part) != std::string::npos; };
  if (named("two/")) return;
  for (const char* completion : {"groups", "mbarrier", "named_barrier"})
    for (const char* path : {"registers-", "cp_async-", "bulk-", "automatic-"})
      if (named((std::string(path) + completion).c_str()))
        CHECK(completion_name(last_report().completion) == completion);
}

std::vector<long long> tile_counts(int stages) {
  const std::set<long long> counts = {0, 1, stages - 1, stages, stages + 1, 2 * stages + 1};
  return {counts.begin(), counts.end()};
}

}  // namespace tilepipe_test
