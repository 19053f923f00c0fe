// SPDX-License-Identifier: Apache-2.0
// Each message of TILEPIPE_CHECKS is provoked once, in a process of its own, and read by the host.
// Other builds have none.
#include "checks.hpp"

#include <cstdio>
#include <cstdlib>

#include "support/catch.hpp"
#include "support/child_process.hpp"
#include "support/device_buffer.hpp"

using namespace tilepipe_test;

namespace {

constexpr int trapped = 3;

// The child's body: launches the kernel whose name the environment holds; a trap is what is wanted.
int provoke() {
  const char* name = std::getenv("TILEPIPE_TEST_WRONG_USE");
  int count = 0;
  const WrongUse* uses = wrong_uses(count);
  for (int i = 0; i < count; ++i) {
    if (name == nullptr || std::string(name) != uses[i].name) continue;
    const DeviceBuffer in(4096, static_cast<std::size_t>(uses[i].misalignment));
    try {
      launch(make_launch(uses[i].name, uses[i].kernel, Dim{1, 1, 1},
                         Dim{static_cast<unsigned>(uses[i].threads), 1, 1}, 0, in.address()));
    } catch (const LaunchError& e) {
      std::printf("launch failed: %s\n", e.what());
      return trapped;
    }
    return 0;
  }
  return 2;
}
const ChildBody body("provoke", &provoke);

}  // namespace

#if defined(TILEPIPE_CHECKS)
TEST_CASE("each check prints its sentence and ends the kernel", "[device][checks]") {
  int count = 0;
  const WrongUse* uses = wrong_uses(count);
  REQUIRE(count == 29);
  for (int i = 0; i < count; ++i) {
    INFO(uses[i].name);
    setenv("TILEPIPE_TEST_WRONG_USE", uses[i].name, 1);
    const ChildResult child = run_child("provoke");
    INFO(child.output);
    CHECK_FALSE(child.timed_out);
    CHECK(child.exit_code == trapped);
    CHECK(child.output.find(uses[i].sentence) != std::string::npos);
    CHECK(child.output.find("tilepipe: in block (0, 0, 0), thread (") != std::string::npos);
  }
}
#endif
