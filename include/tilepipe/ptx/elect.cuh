// SPDX-License-Identifier: Apache-2.0
// elect.sync (sm_90). PTX ISA, "Parallel Synchronization and Communication Instructions:
// elect.sync".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// True in one lane of the warp, the same one at each call. By all 32 lanes, which wait for each
// other. To be asked at each use: from an answer that was kept, ptxas (CUDA 13.0) has issued bulk
// copies in every lane.
TILEPIPE_D bool elect_sync() {
  unsigned elected;
  asm volatile(
      "{\n\t.reg .pred p;\n\t"
      "elect.sync _|p, 0xffffffff;\n\t"
      "selp.u32 %0, 1, 0, p;\n\t}"
      : "=r"(elected));
  return elected != 0;
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
