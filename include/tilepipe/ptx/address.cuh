// SPDX-License-Identifier: Apache-2.0
// Addresses of shared memory as the copy and barrier instructions take them.
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// The 32-bit address in the shared window. p must point to shared memory.
TILEPIPE_D unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
