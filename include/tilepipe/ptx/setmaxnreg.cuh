// SPDX-License-Identifier: Apache-2.0
// setmaxnreg (sm_90a and other targets of one architecture or family). PTX ISA, "Miscellaneous
// Instructions: setmaxnreg".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// The calling thread's registers from now on, 24 to 256 in steps of 8: no more than it has, the
// rest goes back to the block. By all warps of a warpgroup, which meet before they call either
// again.
template <int Registers>
TILEPIPE_D void release_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers) : "memory");
}
// The same, no fewer than it has: waits until the block has given back as many.
template <int Registers>
TILEPIPE_D void claim_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers) : "memory");
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
