// SPDX-License-Identifier: Apache-2.0
// Where bulk copies need a proxy fence there is one, and elsewhere none.
// RUN-ARCH: 90
#include "ptx/streams.cuh"

// Read only: fences at the start alone, after the inits, before the barrier and the first copy.
// CHECK-LABEL: .entry read_only(
// CHECK: mbarrier.init.shared::cta.b64 [
// CHECK-NOT: fence
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK-NOT: cp.async
// CHECK: fence.proxy.async.shared::cta;
// CHECK-NOT: cp.async
// CHECK: bar.sync
// CHECK: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// CHECK-NOT: fence
// CHECK: ret;
extern "C" __global__ void read_only(const float* in, float* out, int tiles) {
  stream<2, tilepipe::Block<128>, tilepipe::Policy<>>(in, out, tiles);
}

// CHECK-LABEL: .entry read_only_in_roles(
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar.sync
// CHECK-NOT: fence
// CHECK: ret;
extern "C" __global__ void read_only_in_roles(const float* in, float* out, int tiles) {
  stream<2, tilepipe::Specialized<32, 96>, tilepipe::Policy<>>(in, out, tiles);
}

template <class Team>
__device__ void written(const float* in, float* out, int tiles) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 2> ring;
  tilepipe::TileLoader<Vector> load{in};
  tilepipe::Pipeline pipe{ring, Team{}, load};
  pipe.run(
      tiles, [&](StageOf<Vector>& s, int t) { pipe.fill(load, s.x, 1024ll * t); },
      [&](StageOf<Vector>& s, int) {
        pipe.for_each(s.x, [&](int i, float v) { s.x[i] = 2 * v; });
        pipe.sync();
        pipe.for_each(s.x, [&](int i, float v) { out[i] += v; });
      });
}

// Written by compute: each writer fences after its last access, before the next barrier.
// CHECK-LABEL: .entry written_by_compute(
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar.sync
// CHECK: st.shared
// CHECK: st.global
// CHECK: fence.proxy.async.shared::cta;
// CHECK-NOT: {{(ld|st)}}.shared
// CHECK: ret;
extern "C" __global__ void written_by_compute(const float* in, float* out, int tiles) {
  written<tilepipe::Block<128>>(in, out, tiles);
}

// CHECK-LABEL: .entry written_in_roles(
// CHECK: st.shared
// CHECK: st.global
// CHECK: fence.proxy.async.shared::cta;
// CHECK-NOT: {{(ld|st)}}.shared
// CHECK: mbarrier.arrive.shared::cta.b64 state, [
// CHECK: ret;
extern "C" __global__ void written_in_roles(const float* in, float* out, int tiles) {
  written<tilepipe::Specialized<32, 96>>(in, out, tiles);
}

// The verbs: consumer_wait(writable) makes the release fence.
// CHECK-LABEL: .entry written_by_verbs(
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: fence.proxy.async.shared::cta;
// CHECK: cp.async.bulk
// CHECK: _wait.parity
// CHECK: st.shared
// CHECK: fence.proxy.async.shared::cta;
// CHECK: cp.async.bulk
// CHECK: ret;
extern "C" __global__ void written_by_verbs(const float* in) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 1> ring;
  tilepipe::TileLoader<Vector> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<128>{}, load};
  for (int t = 0; t < 2; ++t) {
    pipe.fill(load, pipe.producer_acquire().x, 1024 * t);
    pipe.producer_commit();
    pipe.consumer_wait(tilepipe::writable).x[threadIdx.x] = 1;
    pipe.consumer_release();
  }
}

// resume(): the writes of each thread, its fence, the barrier, the next copy.
// CHECK-LABEL: .entry resumed(
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: fence.proxy.async.shared::cta;
// CHECK: cp.async.bulk
// CHECK: st.shared
// CHECK-NOT: bar.sync
// CHECK: fence.proxy.async.shared::cta;
// CHECK-NOT: {{(ld|st)}}.shared
// CHECK: bar.sync
// CHECK: cp.async.bulk
// CHECK: ret;
extern "C" __global__ void resumed(const float* in) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 1> ring;
  tilepipe::TileLoader<Vector> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<128>{}, load};
  pipe.fill(load, pipe.producer_acquire().x, 0);
  pipe.producer_commit();
  pipe.drain();
  ring.stage[0].x[threadIdx.x] = 1;
  pipe.resume();
  pipe.fill(load, pipe.producer_acquire().x, 1024);
  pipe.producer_commit();
  pipe.drain();
}

// acquire_source(): of global memory, before the first copy.
// CHECK-LABEL: .entry source_of_the_grid(
// CHECK-NOT: cp.async
// CHECK: fence.proxy.async.global;
// CHECK: cp.async.bulk
// CHECK: ret;
extern "C" __global__ void source_of_the_grid(const float* in) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 1> ring;
  tilepipe::TileLoader<Vector> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<128>{}, load};
  pipe.acquire_source();
  pipe.fill(load, pipe.producer_acquire().x, 0);
  pipe.producer_commit();
  pipe.drain();
}

// The bytes behind a run's last 16 are stored by a lane, which fences them; the lanes are done
// before the one of them arrives.
// CHECK-LABEL: .entry tails(
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar.sync
// CHECK: mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [
// CHECK: cp.async.bulk
// CHECK: st.shared.u8
// CHECK-NOT: mbarrier.arrive
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar.warp.sync
// CHECK: mbarrier.arrive.expect_tx
// CHECK: ret;
extern "C" __global__ void tails(const float* in, int rows, int cols, int pitch) {
  __shared__ tilepipe::Ring<StageOf<Matrix>, 1> ring;
  tilepipe::TileLoader<Matrix, tilepipe::Skip, Via<bulk>> load{in, rows, cols, pitch};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<128>{}, load};
  pipe.fill(load, pipe.producer_acquire().x, 0, 0);
  pipe.producer_commit();
  pipe.drain();
}

// Tensor copies, zeros outside by the hardware: nothing is written generically, nothing fenced.
// CHECK-LABEL: .entry boxes_read_only(
// CHECK: fence.mbarrier_init.release.cluster;
// CHECK: fence.proxy.async.shared::cta;
// CHECK: bar.sync
// CHECK-NOT: fence
// CHECK: cp.async.bulk.tensor.2d
// CHECK-NOT: {{fence|st.shared}}
// CHECK: mbarrier.arrive.expect_tx
// CHECK-NOT: fence
// CHECK: ret;
extern "C" __global__ void boxes_read_only(
    const __grid_constant__ tilepipe::TensorSource<Matrix> in, float* out, int tiles) {
  __shared__ tilepipe::Ring<StageOf<Matrix>, 2> ring;
  tilepipe::TileLoader<Matrix, tilepipe::Mapped, tilepipe::ZeroFill> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::SpecializedGroups<32, 64, 2>{}, load};
  pipe.run(
      tiles, [&](StageOf<Matrix>& s, int t) { pipe.fill(load, s.x, 16 * t, -4); },
      [&](const StageOf<Matrix>& s, int) {
        pipe.for_each(s.x, [&](int i, float v) { out[i] = v; });
      });
}

// Written by groups of computing threads: each writer fences before its warp's arrival.
// CHECK-LABEL: .entry boxes_written_by_groups(
// CHECK: st.shared
// CHECK: fence.proxy.async.shared::cta;
// CHECK-NOT: {{(ld|st)}}.shared
// CHECK: bar.warp.sync
// CHECK: mbarrier.arrive.shared::cta.b64 state, [
// CHECK: ret;
extern "C" __global__ void boxes_written_by_groups(
    const __grid_constant__ tilepipe::TensorSource<Matrix> in, int tiles) {
  __shared__ tilepipe::Ring<StageOf<Matrix>, 2> ring;
  tilepipe::TileLoader<Matrix, tilepipe::Mapped, tilepipe::ZeroFill> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::SpecializedGroups<32, 64, 2>{}, load};
  pipe.run(
      tiles, [&](StageOf<Matrix>& s, int t) { pipe.fill(load, s.x, 16 * t, -4); },
      [&](StageOf<Matrix>& s, int) {
        if (pipe.group() == 0) s.x[pipe.rank()] = 1;
      });
}

// And by groups in turns.
// CHECK-LABEL: .entry boxes_written_in_turns(
// CHECK: st.shared
// CHECK: fence.proxy.async.shared::cta;
// CHECK-NOT: {{(ld|st)}}.shared
// CHECK: bar.warp.sync
// CHECK: mbarrier.arrive.shared::cta.b64 state, [
// CHECK: ret;
extern "C" __global__ void boxes_written_in_turns(
    const __grid_constant__ tilepipe::TensorSource<Matrix> in, int tiles) {
  __shared__ tilepipe::Ring<StageOf<Matrix>, 2> ring;
  tilepipe::TileLoader<Matrix, tilepipe::Mapped, tilepipe::ZeroFill> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::SpecializedTurns<32, 64, 2>{4}, load};
  pipe.run(
      tiles, [&](StageOf<Matrix>& s, int t) { pipe.fill(load, s.x, 16 * t, -4); },
      [&](StageOf<Matrix>& s, int) { s.x[pipe.rank()] = 1; });
}
