// SPDX-License-Identifier: Apache-2.0
// The instruction that each architecture copies with where the kernel names none.
// RUN-ARCH: 75 80 90
#include "ptx/streams.cuh"

// CHECK-LABEL: .entry automatic(
// SM75-NOT: cp.async
// SM75: ld.global.v4
// SM75-NOT: cp.async
// SM75: st.shared.v4
// SM75-NOT: mbarrier
// SM80-NOT: bulk
// SM80: cp.async.cg.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// SM80: cp.async.commit_group;
// SM80-NOT: bulk
// SM80: cp.async.wait_group 2;
// SM80-NEXT: // end inline asm
// SM80-NEXT: bar.sync
// SM80-NOT: bulk
// SM90-NOT: cp.async.c
// SM90: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [
// SM90: mbarrier.arrive.expect_tx.shared::cta.b64 _,
// SM90: mbarrier.try_wait.parity.shared::cta.b64
// SM90-NOT: cp.async.c
// CHECK: ret;
extern "C" __global__ void automatic(const float* in, float* out, int tiles) {
  stream<4, tilepipe::Block<128>, tilepipe::Policy<>>(in, out, tiles);
}
