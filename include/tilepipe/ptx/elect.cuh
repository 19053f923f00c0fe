// SPDX-License-Identifier: Apache-2.0
// elect.sync (sm_90). PTX ISA, "Parallel Synchronization and Communication Instructions:
// elect.sync".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// True in one lane of the warp, the same one at each call. By all 32 lanes, converged.
TILEPIPE_D bool elect_sync() {
  unsigned elected;
  asm volatile(
      "{\n\t.reg .pred p;\n\t"
      "elect.sync _|p, 0xffffffff;\n\t"
      "selp.u32 %0, 1, 0, p;\n\t}"
      : "=r"(elected)::"memory");
  return elected != 0;
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
