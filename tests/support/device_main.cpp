// SPDX-License-Identifier: Apache-2.0
// main of the device tests: the choice of back end, child bodies, exit code 77 without a GPU, and
// the running test's name for a hang's message.
#define CATCH_CONFIG_RUNNER
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "catch.hpp"
#include "check_backend.hpp"
#include "child_process.hpp"
#include "launch.hpp"

namespace {

constexpr int skipped = 77;

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

struct NameListener : ListenerBase {
  using ListenerBase::ListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    tilepipe_test::set_current_test(info.name);
  }
};
CATCH_REGISTER_LISTENER(NameListener)

bool only_lists(int argc, char** argv) {  // Catch2 options that run no test
  for (int i = 1; i < argc; ++i)
    for (const char* o :
         {"--list-tests", "--list-tags", "--list-test-names-only", "-l", "-t", "--help", "-h"})
      if (std::strcmp(argv[i], o) == 0) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const int child = tilepipe_test::child_main(argc, argv);
  if (child >= 0) return child;

  const char* chosen = std::getenv("TILEPIPE_TEST_BACKEND");
  if (chosen != nullptr && std::strcmp(chosen, "listing") == 0) {
    // Records are wanted, results are not: no kernel runs, so every comparison fails and none is
    // counted.
    tilepipe_test::use_backend(tilepipe_test::listing_backend());
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
    Catch::Session().run(argc, argv);
    std::fprintf(stderr, "listed only: no kernel ran, nothing was tested\n");
    return skipped;
  }
  if (chosen != nullptr && std::strcmp(chosen, "check") == 0) {
    const char* arch = std::getenv("TILEPIPE_TEST_CHECK_ARCH");
    tilepipe_test::use_backend(tilepipe_test::check_backend(arch != nullptr ? std::atoi(arch) : 0));
    const int failed = Catch::Session().run(argc, argv);
    const tilepipe_test::CheckCounts counts = tilepipe_test::check_counts();
    std::printf("checked: %lld launches, %lld blocks, %llu instructions\n", counts.launches,
                counts.blocks, static_cast<unsigned long long>(counts.instructions));
    return failed;
  }
  std::string why;
  if (!only_lists(argc, argv) && !tilepipe_test::cuda_available(why)) {
    std::printf("skipped: device tests need a GPU (%s)\n", why.c_str());
    return skipped;
  }
  return Catch::Session().run(argc, argv);
}
