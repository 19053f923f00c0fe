// SPDX-License-Identifier: Apache-2.0
// The order in which a stage is written, fenced, stored and refilled where tiles leave from the
// stages that they came to.
// RUN-ARCH: 90 80 75
#include <tilepipe/tile_storer.cuh>

#include "ptx/streams.cuh"

template <bool Last, int Stages, class Team, class... Options>
__device__ void stream_in_place(const float* in, float* out, int tiles) {
  __shared__ tilepipe::Ring<StageOf<Vector>, Stages> ring;
  tilepipe::TileLoader<Vector, Options...> load{in};
  tilepipe::TileStorer<Vector> store{out};
  tilepipe::Pipeline pipe{ring, Team{}, load, store};
  pipe.run(
      tiles, [&](auto& s, int t) { pipe.fill(load, s.x, 1024ll * t); },
      [&](StageOf<Vector>& s, int t) {
        pipe.transform(s.x, [](float v) { return 2 * v; });
        if constexpr (Last)
          pipe.store_last(store, s.x, 1024ll * t);
        else
          pipe.store(store, s.x, 1024ll * t);
      });
}

// In the loop one thread waits until its stores have read, and refills; the team's one barrier is
// that of the store, behind each writer's fence, and no other fence follows.
// CHECK-LABEL: .entry alone(
// SM90: cp.async.bulk.shared::cta.global
// SM90: cp.async.bulk.wait_group.read 0;
// SM90-NOT: {{bar.sync|fence}}
// SM90: cp.async.bulk.shared::cta.global
// SM90-NOT: {{bar.sync|fence}}
// SM90: mbarrier.try_wait
// SM90-NOT: {{bar.sync|fence}}
// SM90: st.shared.v4
// SM90-NOT: bar.sync
// SM90: fence.proxy.async.shared::cta;
// SM90-NOT: {{st.shared|fence}}
// SM90: bar.sync
// SM90-NOT: {{bar.sync|fence}}
// SM90: cp.async.bulk.global.shared::cta.bulk_group
// SM90-NOT: {{bar.sync|fence}}
// SM90: cp.async.bulk.commit_group;
// SM90-NOT: {{bar.sync|fence}}
// SM90: cp.async.bulk.wait_group.read 0;
// SM80: cp.async.wait_group
// SM80: st.shared.v4
// SM80: bar.sync
// SM80-NOT: bar.sync
// SM80: st.global.v4
// SM75: add.f32
// SM75: st.shared.v4
// SM75: bar.sync
// SM75-NOT: bar.sync
// SM75: st.global.v4
// CHECK: ret;
extern "C" __global__ void alone(const float* in, float* out, int tiles) {
  stream_in_place<true, 3, tilepipe::Block<128>>(in, out, tiles);
}

// Where the stage may be read after the store, writers fence at the release too, and the refill is
// behind a barrier that follows the wait for the store.
// CHECK-LABEL: .entry read_again(
// SM90: st.shared.v4
// SM90: fence.proxy.async.shared::cta;
// SM90: bar.sync
// SM90: cp.async.bulk.global.shared::cta.bulk_group
// SM90: cp.async.bulk.commit_group;
// SM90: fence.proxy.async.shared::cta;
// CHECK: ret;
extern "C" __global__ void read_again(const float* in, float* out, int tiles) {
  stream_in_place<false, 3, tilepipe::Block<128>>(in, out, tiles);
}

// Loads by all threads: each waits behind a barrier for the thread that waits for the store.
// CHECK-LABEL: .entry loaded_by_all(
// SM90: cp.async.bulk.wait_group.read 0;
// SM90-NOT: cp.async.cg
// SM90: bar.sync
// SM90: cp.async.cg
// SM90: st.shared.v4
// SM90: fence.proxy.async.shared::cta;
// SM90: bar.sync
// SM90: cp.async.bulk.global.shared::cta.bulk_group
// CHECK: ret;
extern "C" __global__ void loaded_by_all(const float* in, float* out, int tiles) {
#if __CUDA_ARCH__ >= 800
  stream_in_place<true, 3, tilepipe::Block<128>, Via<cp_async>>(in, out, tiles);
#else
  stream_in_place<true, 3, tilepipe::Block<128>>(in, out, tiles);
#endif
}

// A store that an edge may cut is not one thread's alone.
// CHECK-LABEL: .entry cut(
// SM90: cp.async.bulk.wait_group.read 0;
// SM90-NOT: cp.async.bulk.shared
// SM90: bar.sync
// SM90: cp.async.bulk.shared::cta.global
// SM90: st.shared.v4
// CHECK: ret;
extern "C" __global__ void cut(const float* in, float* out, long long count, int tiles) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 2> ring;
  tilepipe::TileLoader<Vector> load{in};
  tilepipe::TileStorer<Vector, tilepipe::Skip> store{out, count};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<128>{}, load, store};
  pipe.run(
      tiles, [&](auto& s, int t) { pipe.fill(load, s.x, 1024ll * t); },
      [&](StageOf<Vector>& s, int t) {
        pipe.transform(s.x, [](float v) { return 2 * v; });
        pipe.store_last(store, s.x, 1024ll * t);
      });
}

// Roles: who stored waits until its store has read before its warp releases the stage.
// CHECK-LABEL: .entry in_roles(
// SM90: st.shared.v4
// SM90: fence.proxy.async.shared::cta;
// SM90: bar.sync
// SM90: cp.async.bulk.global.shared::cta.bulk_group
// SM90: cp.async.bulk.commit_group;
// SM90: cp.async.bulk.wait_group.read 0;
// SM90: bar.warp.sync
// SM90: mbarrier.arrive
// CHECK: ret;
extern "C" __global__ void in_roles(const float* in, float* out, int tiles) {
  stream_in_place<true, 3, tilepipe::Specialized<32, 128>>(in, out, tiles);
}
