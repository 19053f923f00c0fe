// SPDX-License-Identifier: Apache-2.0
// createpolicy: what a copy with .L2::cache_hint is told (sm_80). PTX ISA, "Data Movement and
// Conversion Instructions: createpolicy".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// Lines of L2 that are first in the order of eviction: of data that is used once.
TILEPIPE_D unsigned long long evict_first_policy() {
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(policy)::"memory");
  return policy;
}
// Last in it: of data that is used again.
TILEPIPE_D unsigned long long evict_last_policy() {
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy)::"memory");
  return policy;
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
