// SPDX-License-Identifier: Apache-2.0
// How many groups a wait leaves in flight: an immediate. One commit a tile.
// RUN-ARCH: 80
#include "ptx/streams.cuh"

using Block = tilepipe::Block<128>;
using Groups = tilepipe::CompleteBy<tilepipe::Completion::groups>;

// One stage: refilled after a barrier, waited for at once. One commit.
// CHECK-LABEL: .entry stages_1(
// CHECK: bar.sync
// CHECK: cp.async.cg
// CHECK: cp.async.commit_group;
// CHECK-NOT: commit_group
// CHECK: cp.async.wait_group 0;
// CHECK-NEXT: // end inline asm
// CHECK-NEXT: bar.sync
// CHECK-NOT: wait_group {{[1-9]}}
// CHECK: ret;
extern "C" __global__ void stages_1(const float* in, float* out, int tiles) {
  stream<1, Block, Groups>(in, out, tiles);
}

// Two stages: wait, barrier, refill, commit; one barrier a tile.
// CHECK-LABEL: .entry stages_2(
// CHECK: cp.async.commit_group;
// CHECK-NOT: wait_group {{[1-9]}}
// CHECK: cp.async.wait_group 0;
// CHECK-NEXT: // end inline asm
// CHECK-NEXT: bar.sync
// CHECK-NOT: bar.sync
// CHECK: cp.async.cg
// CHECK-NOT: bar.sync
// CHECK: cp.async.commit_group;
// CHECK-NOT: bar.sync
// CHECK: ld.shared
// CHECK-NOT: bar.sync
// CHECK: ret;
extern "C" __global__ void stages_2(const float* in, float* out, int tiles) {
  stream<2, Block, Groups>(in, out, tiles);
}

// CHECK-LABEL: .entry stages_3(
// CHECK: cp.async.commit_group;
// CHECK: cp.async.commit_group;
// CHECK-NOT: wait_group {{[02-9]}}
// CHECK: cp.async.wait_group 1;
// CHECK-NEXT: // end inline asm
// CHECK-NEXT: bar.sync
// CHECK-NOT: wait_group
// CHECK: cp.async.commit_group;
// CHECK: ret;
extern "C" __global__ void stages_3(const float* in, float* out, int tiles) {
  stream<3, Block, Groups>(in, out, tiles);
}

// CHECK-LABEL: .entry stages_16(
// CHECK-COUNT-15: cp.async.commit_group;
// CHECK-NOT: wait_group {{[0-9];|1[0-35-9]}}
// CHECK: cp.async.wait_group 14;
// CHECK-NOT: wait_group
// CHECK: ret;
extern "C" __global__ void stages_16(const float* in, float* out, int tiles) {
  stream<16, tilepipe::Block<256>, Groups, tilepipe::Aligned<4>>(in, out, tiles);
}

// Warps wait for themselves, and one thread needs no barrier at all.
// CHECK-LABEL: .entry warp(
// CHECK-NOT: bar.sync
// CHECK: cp.async.wait_group 1;
// CHECK-NEXT: // end inline asm
// CHECK-NEXT: bar.warp.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
extern "C" __global__ void warp(const float* in, float* out, int tiles) {
  stream<3, tilepipe::Warp, Groups>(in, out, tiles);
}

// CHECK-LABEL: .entry thread(
// CHECK-NOT: bar.
// CHECK: cp.async.wait_group 1;
// CHECK-NOT: bar.
// CHECK: ret;
extern "C" __global__ void thread(const float* in, float* out, int tiles) {
  stream<3, tilepipe::Thread, tilepipe::Policy<>>(in, out, tiles);
}
