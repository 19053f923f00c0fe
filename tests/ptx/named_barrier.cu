// SPDX-License-Identifier: Apache-2.0
// Roles below compute capability 8.0: a fence before each named barrier that hands a stage over.
// RUN-ARCH: 75
#include "ptx/streams.cuh"

// CHECK-LABEL: .entry roles(
// CHECK-NOT: mbarrier
// Who computes: wait, reads, fence, release.
// CHECK: bar.sync {{%r[0-9]+}}, {{%r[0-9]+}};
// CHECK: ld.shared
// CHECK: membar.cta;
// CHECK-NOT: ld.shared
// CHECK: bar.arrive {{%r[0-9]+}}, {{%r[0-9]+}};
// Who loads: loads, stores, fence, hand-over.
// CHECK: ld.global.v4
// CHECK: st.shared.v4
// CHECK: membar.cta;
// CHECK-NOT: st.shared
// CHECK: bar.arrive {{%r[0-9]+}}, {{%r[0-9]+}};
// CHECK-NOT: mbarrier
// CHECK: ret;
extern "C" __global__ void roles(const float* in, float* out, int tiles) {
  stream<2, tilepipe::Specialized<32, 96>, tilepipe::Policy<>>(in, out, tiles);
}
