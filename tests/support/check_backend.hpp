// SPDX-License-Identifier: Apache-2.0
// The back end that runs launches on the CPU, and what it has run.
#pragma once
#include <cstdint>

#include "launch.hpp"

namespace tilepipe_test {

struct CheckCounts {
  long long launches = 0;
  long long blocks = 0;
  std::uint64_t instructions = 0;
};

// Runs the PTX for that architecture that this program holds, uncompressed. A finding is a
// LaunchError.
Backend& check_backend(int arch);
CheckCounts check_counts();

}  // namespace tilepipe_test
