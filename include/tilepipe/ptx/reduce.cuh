// SPDX-License-Identifier: Apache-2.0
// red.add on global memory: relaxed, at device scope, nothing returned. PTX ISA, "Parallel
// Synchronization and Communication Instructions: red".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// to: global, aligned to the type.
TILEPIPE_D void add_u32(void* to, unsigned value) {
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}
TILEPIPE_D void add_u64(void* to, unsigned long long value) {
  asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
TILEPIPE_D void add_f32(void* to, float value) {
  asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(to), "f"(value) : "memory");
}
TILEPIPE_D void add_f64(void* to, double value) {
  asm volatile("red.relaxed.gpu.global.add.f64 [%0], %1;" ::"l"(to), "d"(value) : "memory");
}
// 16 bits of a __half.
TILEPIPE_D void add_f16(void* to, unsigned short value) {
  asm volatile("red.relaxed.gpu.global.add.noftz.f16 [%0], %1;" ::"l"(to), "h"(value) : "memory");
}
// 16 bits of a __nv_bfloat16. sm_90.
TILEPIPE_D void add_bf16(void* to, unsigned short value) {
  asm volatile("red.relaxed.gpu.global.add.noftz.bf16 [%0], %1;" ::"l"(to), "h"(value) : "memory");
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
