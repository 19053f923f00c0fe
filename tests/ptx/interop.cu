// SPDX-License-Identifier: Apache-2.0
// What libcu++ behind the verbs compiles to.
// RUN-ARCH: 75 80 90
#include <cooperative_groups.h>
#include <tilepipe/interop/libcudacxx.cuh>

#include "ptx/streams.cuh"

#pragma nv_diag_suppress 20054  // shared variables of types that have constructors

using Foreign = tilepipe::Via<tilepipe::Path::libcudacxx>;
using SharedState = cuda::pipeline_shared_state<cuda::thread_scope_block, 4>;

template <class Team, class Policy>
__device__ void foreign_stream(const float* in, float* out, int tiles, const Team& team,
                               const Policy& policy) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 4> ring;
  tilepipe::TileLoader<Vector, Foreign> load{in};
  tilepipe::Pipeline pipe{ring, team, policy, load};
  pipe.run(
      tiles, [&](auto& s, int t) { pipe.fill(load, s.x, 1024ll * t); },
      [&](const auto& s, int t) {
        pipe.for_each(s.x, [&](int i, float v) { out[1024ll * t + i] = 2 * v; });
      });
}

// The depth of the wait is in the instruction, an empty statement behind it keeps loads there, and
// no space of an address is found at run time.
// CHECK-LABEL: .entry thread_scope(
// CHECK-NOT: isspacep
// SM75-NOT: cp.async
// SM75: ld.global.v4
// SM75: st.shared.v4
// SM80: cp.async.cg.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16, 16;
// SM80: cp.async.wait_group 2;
// SM80-NEXT: // end inline asm
// SM80-NEXT: // begin inline asm
// SM80-NEXT: // end inline asm
// SM80-NEXT: bar.sync 0;
// SM80-NOT: cp.async.wait_group
// SM90: cp.async.cg.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16, 16;
// SM90: cp.async.wait_group 2;
// SM90-NEXT: // end inline asm
// SM90-NEXT: // begin inline asm
// SM90-NEXT: // end inline asm
// SM90-NEXT: bar.sync 0;
// SM90-NOT: cp.async.wait_group
// CHECK: ret;
extern "C" __global__ void thread_scope(const float* in, float* out, int tiles) {
  foreign_stream(in, out, tiles, tilepipe::Block<128>{}, tilepipe::Policy<>{});
}

// No barrier of the block between the verbs: producer_acquire waits for the readers.
// CHECK-LABEL: .entry owned_pipeline(
// CHECK: barrier.sync 0;
// SM80: cp.async.cg
// SM80: cp.async.mbarrier.arrive.shared.b64
// SM90: cp.async.cg
// SM90: cp.async.mbarrier.arrive.shared.b64
// CHECK-NOT: {{bar|barrier}}.sync
// CHECK: ret;
extern "C" __global__ void owned_pipeline(const float* in, float* out, int tiles) {
  __shared__ SharedState state;
  auto user = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  foreign_stream(in, out, tiles, tilepipe::Block<128>{}, tilepipe::interop::bind(user, state));
}

// One instruction a row from sm_90 on, and a fence before the first.
// CHECK-LABEL: .entry owned_barriers(
// SM80: cp.async.cg
// SM80: cp.async.mbarrier.arrive.shared.b64
// SM90-NOT: cp.async.cg
// SM90: fence.proxy.async.shared::cta;
// SM90-NOT: cp.async.cg
// SM90: mbarrier.expect_tx
// SM90: cp.async.bulk
// SM90-NOT: cp.async.cg
// CHECK: ret;
extern "C" __global__ void owned_barriers(const float* in, float* out, int tiles) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barriers[4];
  if (threadIdx.x < 4) init(&barriers[threadIdx.x], 128);
  __syncthreads();
  foreign_stream(in, out, tiles, tilepipe::Block<128>{}, tilepipe::interop::bind(barriers));
}
