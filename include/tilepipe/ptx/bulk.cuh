// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk, global to shared (sm_90). PTX ISA, "Data Movement and Conversion Instructions:
// cp.async.bulk".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// The .shared::cta destination came with PTX 8.6; in a kernel without clusters the older form
// means the same.
#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 8)
#define TILEPIPE_BULK_LOAD "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"
#else
#define TILEPIPE_BULK_LOAD "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
#endif

// bytes from src to the shared address dst; all three multiples of 16. Counts its bytes on the
// mbarrier at bar, whose completion makes them visible to those who wait there. Hinted: by an L2
// cache policy. By one thread.
template <bool Hinted = false>
TILEPIPE_D void bulk_load(unsigned dst, const void* src, unsigned bytes, unsigned bar,
                          [[maybe_unused]] unsigned long long policy = 0) {
  if constexpr (Hinted)
    asm volatile(TILEPIPE_BULK_LOAD ".L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(dst),
                 "l"(src), "r"(bytes), "r"(bar), "l"(policy)
                 : "memory");
  else
    asm volatile(TILEPIPE_BULK_LOAD " [%0], [%1], %2, [%3];" ::"r"(dst), "l"(src), "r"(bytes),
                 "r"(bar)
                 : "memory");
}
#undef TILEPIPE_BULK_LOAD

}  // namespace ptx
TILEPIPE_NAMESPACE_END
