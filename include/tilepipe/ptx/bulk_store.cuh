// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk and cp.reduce.async.bulk, shared to global, and their groups (sm_90). PTX ISA,
// "Data Movement and Conversion Instructions: cp.async.bulk, cp.reduce.async.bulk".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// bytes from the shared address src to dst, all three multiples of 16. Complete by the calling
// thread's bulk group. What threads wrote to src is fenced before, by each of them. Hinted: by an
// L2 cache policy. By one thread.
#define TILEPIPE_BULK_STORE(name, operation)                                                    \
  if constexpr (Hinted)                                                                         \
    asm volatile(name ".global.shared::cta.bulk_group.L2::cache_hint" operation                 \
                      " [%0], [%1], %2, %3;" ::"l"(dst),                                        \
                 "r"(src), "r"(bytes), "l"(policy)                                              \
                 : "memory");                                                                   \
  else                                                                                          \
    asm volatile(name ".global.shared::cta.bulk_group" operation " [%0], [%1], %2;" ::"l"(dst), \
                 "r"(src), "r"(bytes)                                                           \
                 : "memory")
template <bool Hinted = false>
TILEPIPE_D void bulk_store(void* dst, unsigned src, unsigned bytes,
                           [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_BULK_STORE("cp.async.bulk", "");
}

// The same, but adds to what is at dst, element by element, each addition atomic and relaxed.
#define TILEPIPE_BULK_ADD(type) TILEPIPE_BULK_STORE("cp.reduce.async.bulk", ".add." type)
template <bool Hinted = false>
TILEPIPE_D void bulk_add_u32(void* dst, unsigned src, unsigned bytes,
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_BULK_ADD("u32");
}
template <bool Hinted = false>
TILEPIPE_D void bulk_add_u64(void* dst, unsigned src, unsigned bytes,
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_BULK_ADD("u64");
}
template <bool Hinted = false>
TILEPIPE_D void bulk_add_f16(void* dst, unsigned src, unsigned bytes,
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_BULK_ADD("noftz.f16");
}
template <bool Hinted = false>
TILEPIPE_D void bulk_add_bf16(void* dst, unsigned src, unsigned bytes,
                              [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_BULK_ADD("noftz.bf16");
}
template <bool Hinted = false>
TILEPIPE_D void bulk_add_f32(void* dst, unsigned src, unsigned bytes,
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_BULK_ADD("f32");
}
template <bool Hinted = false>
TILEPIPE_D void bulk_add_f64(void* dst, unsigned src, unsigned bytes,
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_BULK_ADD("f64");
}
#undef TILEPIPE_BULK_ADD
#undef TILEPIPE_BULK_STORE

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
