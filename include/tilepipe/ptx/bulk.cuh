// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk, global to shared (sm_90). PTX ISA, "Data Movement and Conversion Instructions:
// cp.async.bulk".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// bytes from src to the shared address dst; all three multiples of 16. Counts its bytes on the
// mbarrier at bar, whose completion makes them visible to those who wait there. By one thread.
TILEPIPE_D void bulk_load(unsigned dst, const void* src, unsigned bytes, unsigned bar) {
  // The .shared::cta destination came with PTX 8.6; in a kernel without clusters the older form
  // means the same.
#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 8)
  asm volatile(
      "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          dst),
      "l"(src), "r"(bytes), "r"(bar)
      : "memory");
#else
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(dst),
      "l"(src), "r"(bytes), "r"(bar)
      : "memory");
#endif
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
