// SPDX-License-Identifier: Apache-2.0
// Kernels that break a rule each, as plain data.
#pragma once
#include <cstddef>

namespace tilepipe_test {

struct WrongUse {
  const char* name;      // of the child body
  const char* sentence;  // what the device must say
  const void* kernel;
  int threads;
  int misalignment;  // of the source, in bytes
};
const WrongUse* wrong_uses(int& count);

}  // namespace tilepipe_test
