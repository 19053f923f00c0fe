// SPDX-License-Identifier: Apache-2.0
// The L2 cache hint of bulk and tensor copies and stores, as their options say.
#pragma once

#include "../core/path.hpp"
#include "../ptx/cache_policy.cuh"

TILEPIPE_NAMESPACE_BEGIN

template <class Traits>
inline constexpr bool has_cache_hint = Traits::config.eviction != L2Eviction::automatic;

// The policy of a loader's or storer's copies, made where they are issued; without a hint 0, which
// nothing reads.
template <class Traits>
TILEPIPE_D unsigned long long cache_policy() {
  if constexpr (Traits::config.eviction == L2Eviction::first)
    return ptx::evict_first_policy();
  else if constexpr (Traits::config.eviction == L2Eviction::last)
    return ptx::evict_last_policy();
  else
    return 0;
}

TILEPIPE_NAMESPACE_END
