// SPDX-License-Identifier: Apache-2.0
// mbarrier: init, arrive, wait (sm_80), transaction bytes (sm_90). PTX ISA, "Parallel
// Synchronization and Communication Instructions: mbarrier".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// bar: shared address of 8 aligned bytes. count: arrivals a phase, 1 to 2^20 - 1. By one thread;
// others may use the barrier after a barrier of the block.
TILEPIPE_D void mbarrier_init(unsigned bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}
// Ends the barrier; its memory is free for other use.
TILEPIPE_D void mbarrier_inval(unsigned bar) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
}
// One arrival, release semantics at block scope.
TILEPIPE_D void mbarrier_arrive(unsigned bar) {
  asm volatile(
      "{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared::cta.b64 state, [%0];\n\t}" ::"r"(bar)
      : "memory");
}
// One arrival, counted in the init count, when all cp.async copies of the calling thread so far
// have landed.
TILEPIPE_D void cp_async_mbarrier_arrive_noinc(unsigned bar) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
}
// The phase waits for that many more bytes. sm_90.
TILEPIPE_D void mbarrier_expect_tx(unsigned bar, unsigned bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(bytes)
               : "memory");
}
// The same, and one arrival. sm_90.
TILEPIPE_D void mbarrier_arrive_expect_tx(unsigned bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes)
               : "memory");
}
// Returns when the phase of the given parity is complete; acquire semantics at block scope. The
// instruction may return early, so it is repeated. sm_90 suspends the thread meanwhile, sm_80
// polls.
TILEPIPE_D void mbarrier_wait_parity(unsigned bar, unsigned parity) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n\t.reg .pred done;\n"
      "again:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
      "@!done bra again;\n\t}" ::"r"(bar),
      "r"(parity)
      : "memory");
#else
  asm volatile(
      "{\n\t.reg .pred done;\n"
      "again:\n\t"
      "mbarrier.test_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
      "@!done bra again;\n\t}" ::"r"(bar),
      "r"(parity)
      : "memory");
#endif
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
