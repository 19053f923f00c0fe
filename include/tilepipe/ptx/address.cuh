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

// The same pointer, as a value the compiler computes here, once: not again, later, where its
// latency would be seen.
template <class T>
TILEPIPE_D T& pinned(T& shared) {
  unsigned address = shared_address(&shared);
  asm volatile("" : "+r"(address)::"memory");
  return *static_cast<T*>(__cvta_shared_to_generic(address));
}

// The same address, of which the compiler knows nothing: what is added to it stays an addition to
// one register, and does not become an address of its own that lives through the loop.
TILEPIPE_D const unsigned char* opaque(const unsigned char* address) {
  asm("" : "+l"(address));
  return address;
}

// The same in the shared window: what is derived from a special register stays in a register, and
// is not derived again where it is used.
TILEPIPE_D unsigned opaque(unsigned address) {
  asm("" : "+r"(address));
  return address;
}

// The same address, of which the compiler knows that all lanes of the warp have it, so that it
// stays in a register of the warp. All lanes call it, with one address.
template <class T>
TILEPIPE_D const T* warp_uniform(const T* address) {
  return reinterpret_cast<const T*>(
      __shfl_sync(0xffffffffu, reinterpret_cast<unsigned long long>(address), 0));
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
