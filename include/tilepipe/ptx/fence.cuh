// SPDX-License-Identifier: Apache-2.0
// Fences between the generic and the async proxy, and for fresh barriers (sm_90). PTX ISA, "membar
// / fence"; and one for the compiler alone.
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// Orders the calling thread's accesses of shared memory before later asynchronous ones. By every
// thread that wrote.
TILEPIPE_D void fence_proxy_async_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
// The same for global memory.
TILEPIPE_D void fence_proxy_async_global() {
  asm volatile("fence.proxy.async.global;" ::: "memory");
}
// Makes mbarrier inits visible to the async proxy. By the thread that initialised.
TILEPIPE_D void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
// The compiler moves no access of memory across it, nor any other volatile asm. No instruction.
TILEPIPE_D void compiler_barrier() { asm volatile("" ::: "memory"); }

}  // namespace ptx
TILEPIPE_NAMESPACE_END
