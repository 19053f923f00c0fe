// SPDX-License-Identifier: Apache-2.0
// Completion by mbarriers: their life, and the order of waits, copies and arrivals.
// RUN-ARCH: 80 90
#include "ptx/streams.cuh"

using Mbarrier = tilepipe::CompleteBy<tilepipe::Completion::mbarrier>;

// Without roles: the barrier that frees a stage, its refill, the arrival of the copies, the wait.
// CHECK-LABEL: .entry unified(
// CHECK: mbarrier.init.shared::cta.b64 [
// CHECK: mbarrier.init.shared::cta.b64 [
// CHECK: bar.sync
// CHECK: cp.async.cg
// CHECK: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [
// CHECK: bar.sync
// CHECK: cp.async.cg
// CHECK: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [
// SM80: mbarrier.test_wait.parity.shared::cta.b64 done, [
// SM90: mbarrier.try_wait.parity.shared::cta.b64 done, [
// CHECK-NEXT: @!done bra again;
// CHECK-NOT: bar.sync
// CHECK: ld.shared
// CHECK: ret;
extern "C" __global__ void unified(const float* in, float* out, int tiles) {
  stream<2, tilepipe::Block<128>, Mbarrier, Via<cp_async>>(in, out, tiles);
}

// Roles. Who loads waits for the empty barrier, copies, and arrives on the
// full one. Who computes waits for that, reads, and the warp's first lane arrives on the empty one
// after the whole warp.
// CHECK-LABEL: .entry roles(
// CHECK-COUNT-6: mbarrier.init.shared::cta.b64 [
// CHECK: bar.sync
// CHECK: _wait.parity.shared::cta.b64 done, [
// CHECK: ld.shared
// CHECK: bar.warp.sync
// CHECK-NOT: ld.shared
// CHECK: mbarrier.arrive.shared::cta.b64 state, [
// CHECK: _wait.parity.shared::cta.b64 done, [
// CHECK: cp.async.cg
// CHECK: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [
// CHECK: ret;
extern "C" __global__ void roles(const float* in, float* out, int tiles) {
  stream<3, tilepipe::Specialized<32, 96>, tilepipe::Policy<>, Via<cp_async>>(in, out, tiles);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Bulk copies: the warp that loads waits together, before it elects the lane that issues, and the
// one that arrives.
// SM90-LABEL: .entry roles_in_bulk(
// SM90: _wait.parity.shared::cta.b64 done, [
// SM90: ld.shared
// SM90: bar.warp.sync
// SM90-NOT: ld.shared
// SM90: mbarrier.arrive.shared::cta.b64 state, [
// SM90: _wait.parity.shared::cta.b64 done, [
// SM90: elect.sync
// SM90: cp.async.bulk
// SM90: elect.sync
// SM90: mbarrier.arrive.expect_tx.shared::cta.b64 _, [
// SM90: ret;
extern "C" __global__ void roles_in_bulk(const float* in, float* out, int tiles) {
  stream<3, tilepipe::Specialized<32, 96>, tilepipe::Policy<>, Via<bulk>>(in, out, tiles);
}

// Where all its lanes issue, it meets behind the wait.
// SM90-LABEL: .entry rows_in_bulk(
// SM90: _wait.parity.shared::cta.b64 done, [
// SM90-NOT: cp.async.bulk
// SM90: bar.warp.sync
// SM90: cp.async.bulk
// SM90: ret;
extern "C" __global__ void rows_in_bulk(const float* in) {
  __shared__ tilepipe::Ring<StageOf<Matrix>, 1> ring;
  tilepipe::TileLoader<Matrix, Via<bulk>> load{in, 64, 32, 64};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<32, 96>{}, load};
  if (pipe.is_producer()) {
    pipe.fill(load, pipe.producer_acquire().x, 0, 0);
    pipe.producer_commit();
  }
}
#endif

// close() ends the barriers, the full and the empty ones, between two barriers of the block.
// CHECK-LABEL: .entry closed(
// CHECK-COUNT-4: mbarrier.init.shared::cta.b64 [
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK-COUNT-4: mbarrier.inval.shared::cta.b64 [
// CHECK: bar.sync
// CHECK: ret;
extern "C" __global__ void closed(const float* in) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 2> ring;
  tilepipe::TileLoader<Vector, Via<cp_async>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<32, 96>{}, load};
  pipe.close();
}
