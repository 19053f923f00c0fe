// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk and cp.reduce.async.bulk, shared to global, and their groups (sm_90). PTX ISA,
// "Data Movement and Conversion Instructions: cp.async.bulk, cp.reduce.async.bulk".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// bytes from the shared address src to dst, all three multiples of 16. Complete by the calling
// thread's bulk group. What threads wrote to src is fenced before, by each of them. By one thread.
TILEPIPE_D void bulk_store(void* dst, unsigned src, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(dst), "r"(src),
               "r"(bytes)
               : "memory");
}

// The same, but adds to what is at dst, element by element, each addition atomic and relaxed.
#define TILEPIPE_BULK_ADD(type)                                               \
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add." type \
               " [%0], [%1], %2;" ::"l"(dst),                                 \
               "r"(src), "r"(bytes)                                           \
               : "memory")
TILEPIPE_D void bulk_add_u32(void* dst, unsigned src, unsigned bytes) { TILEPIPE_BULK_ADD("u32"); }
TILEPIPE_D void bulk_add_u64(void* dst, unsigned src, unsigned bytes) { TILEPIPE_BULK_ADD("u64"); }
TILEPIPE_D void bulk_add_f16(void* dst, unsigned src, unsigned bytes) {
  TILEPIPE_BULK_ADD("noftz.f16");
}
TILEPIPE_D void bulk_add_bf16(void* dst, unsigned src, unsigned bytes) {
  TILEPIPE_BULK_ADD("noftz.bf16");
}
TILEPIPE_D void bulk_add_f32(void* dst, unsigned src, unsigned bytes) { TILEPIPE_BULK_ADD("f32"); }
TILEPIPE_D void bulk_add_f64(void* dst, unsigned src, unsigned bytes) { TILEPIPE_BULK_ADD("f64"); }
#undef TILEPIPE_BULK_ADD

// Closes the calling thread's group of bulk stores; an empty group is legal and complete.
TILEPIPE_D void bulk_commit_group() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

// Waits until of the calling thread's newest groups at most Pending still read shared memory.
template <int Pending>
TILEPIPE_D void bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}
// Waits until at most Pending of them are incomplete; what the others wrote is visible to the
// calling thread.
template <int Pending>
TILEPIPE_D void bulk_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
