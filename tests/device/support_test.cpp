// SPDX-License-Identifier: Apache-2.0
// The tests' own instruments can fail: guards, oracle, messages of a trap, the end of a hung
// kernel.
#include <cstdio>
#include <cstdlib>

#include "copy_check.hpp"
#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/device_buffer.hpp"

namespace tilepipe_test {
const void* trap_kernel();
const void* hang_kernel();
const void* write_kernel();
const void* idle_kernel();
const void* plain_kernel(bool wrong);
}  // namespace tilepipe_test

using namespace tilepipe_test;

namespace {

int trap() {
  try {
    launch(make_launch("trap", trap_kernel(), {}, {}, 0, 42));
  } catch (const LaunchError&) {
    return 3;
  }
  return 0;
}
int hang() {
  set_current_test("hang on purpose");
  const DeviceBuffer flag(4, 0, 0);
  launch(make_launch("endless", hang_kernel(), {}, {}, 0, flag.address()));
  return 0;
}
const ChildBody trap_body("trap", &trap);
const ChildBody hang_body("hang", &hang);

CopyCase plain_case(const void* kernel) {
  CopyCase c;
  c.name = "support/plain";
  c.kernel = kernel;
  c.element_bytes = c.element_align = c.promise = 1;
  c.extent[2] = 64;
  c.stages = 1;
  c.threads = 64;
  return c;
}

}  // namespace

TEST_CASE("the host reads what a kernel printed before its trap", "[device][support]") {
  const ChildResult child = run_child("trap");
  INFO(child.output);
  CHECK(child.exit_code == 3);
  CHECK(child.output.find("the trap says 42") != std::string::npos);
}

TEST_CASE("a kernel that does not end ends the process with the test's name", "[device][support]") {
  setenv("TILEPIPE_TEST_SECONDS", "1", 1);
  const ChildResult child = run_child("hang", 60);
  unsetenv("TILEPIPE_TEST_SECONDS");
  INFO(child.output);
  CHECK_FALSE(child.timed_out);
  CHECK(child.exit_code == 124);
  CHECK(child.output.find("HANG: test \"hang on purpose\", kernel \"endless\"") !=
        std::string::npos);
}

TEST_CASE("a byte written beside a buffer is found", "[device][support]") {
  if (tight_buffers()) return;  // memcheck finds it then, and there are no guards
  for (long long offset : {-1ll, 100ll}) {
    const DeviceBuffer buffer(100, 3);
    CHECK(buffer.broken_guard() == std::string());
    launch(make_launch("write", write_kernel(), {}, {}, 0, buffer.address(), offset));
    CHECK(buffer.broken_guard() != std::string());
  }
}

TEST_CASE("the oracle accepts a plain copy and finds one wrong bit and a missing tile",
          "[device][support]") {
  const CopyCase right = plain_case(plain_kernel(false));
  Scenario s = whole_tiles(right, 1);
  s.grid = 3;
  s.geometry.extent[2] = 3 * 64;
  CHECK(run_copy(right, s) == std::string());
  CHECK(run_copy(plain_case(plain_kernel(true)), s) != std::string());
  CHECK(run_copy(plain_case(idle_kernel()), s) != std::string());
}
