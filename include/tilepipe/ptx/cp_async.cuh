// SPDX-License-Identifier: Apache-2.0
// cp.async and its groups (sm_80). PTX ISA, "Data Movement and Conversion Instructions: cp.async".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// dst: shared address, src: global pointer, both aligned to Bytes, which is 4, 8 or 16. With
// src_bytes, at most Bytes, only that many are read and the rest of the destination is zero.
// Prefetch: bytes of L2 prefetch size, 0 for none. Copies become visible to the issuing thread by
// wait_group, to others by a barrier after it.
#define TILEPIPE_CP_ASYNC(op, level)                                                            \
  if constexpr (WithSize)                                                                       \
    asm volatile("cp.async." op ".shared.global" level " [%0], [%1], %2, %3;" ::"r"(dst),       \
                 "l"(src), "n"(Bytes), "r"(src_bytes)                                           \
                 : "memory");                                                                   \
  else                                                                                          \
    asm volatile("cp.async." op ".shared.global" level " [%0], [%1], %2;" ::"r"(dst), "l"(src), \
                 "n"(Bytes)                                                                     \
                 : "memory")

#define TILEPIPE_CP_ASYNC_LEVELS(op)      \
  if constexpr (Prefetch == 64) {         \
    TILEPIPE_CP_ASYNC(op, ".L2::64B");    \
  } else if constexpr (Prefetch == 128) { \
    TILEPIPE_CP_ASYNC(op, ".L2::128B");   \
  } else if constexpr (Prefetch == 256) { \
    TILEPIPE_CP_ASYNC(op, ".L2::256B");   \
  } else {                                \
    TILEPIPE_CP_ASYNC(op, "");            \
  }

// Cached in L1 and L2.
template <int Bytes, int Prefetch, bool WithSize>
TILEPIPE_D void cp_async_ca(unsigned dst, const void* src,
                            [[maybe_unused]] unsigned src_bytes = Bytes) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16,
                "tilepipe::ptx::cp_async_ca: 4, 8 or 16 bytes");
  TILEPIPE_CP_ASYNC_LEVELS("ca")
}
// Cached in L2 only.
template <int Bytes, int Prefetch, bool WithSize>
TILEPIPE_D void cp_async_cg(unsigned dst, const void* src,
                            [[maybe_unused]] unsigned src_bytes = Bytes) {
  static_assert(Bytes == 16, "tilepipe::ptx::cp_async_cg: 16 bytes");
  TILEPIPE_CP_ASYNC_LEVELS("cg")
}
#undef TILEPIPE_CP_ASYNC_LEVELS
#undef TILEPIPE_CP_ASYNC

// Closes the calling thread's group of copies; an empty group is legal and complete.
TILEPIPE_D void cp_async_commit_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits until at most Pending of the calling thread's newest groups are in flight.
template <int Pending>
TILEPIPE_D void cp_async_wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
