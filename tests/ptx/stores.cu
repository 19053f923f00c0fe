// SPDX-License-Identifier: Apache-2.0
// The order in which a slot is written, fenced, handed over, stored and taken again; and plain
// stores where there are no bulk stores.
// RUN-ARCH: 90 75 100
#include <tilepipe/tile_storer.cuh>

#include "ptx/streams.cuh"

using tilepipe::StorePipeline;
using tilepipe::StoreRing;
using tilepipe::TileStorer;

template <int Slots, class Team, class... Options>
__device__ void produce(float* out, int tiles) {
  __shared__ StoreRing<Vector, Slots> ring;
  TileStorer<Vector, Options...> store{out};
  StorePipeline stores{ring, Team{}, store};
#pragma unroll 1
  for (int t = 0; t < tiles; ++t) {
    Vector& slot = stores.acquire();
    for (int i = static_cast<int>(threadIdx.x); i < 1024; i += 128)
      slot[i] = static_cast<float>(i + t);
    stores.store(1024ll * t);
  }
  stores.drain();
}

// Each writer fences, whoever issued before waits until the next slot is read, then the barrier,
// then the store and its group. Nothing else waits in the loop.
// CHECK-LABEL: .entry three_slots(
// SM90-NOT: cp.async
// SM90: st.shared
// SM90-NOT: bar.sync
// SM90: fence.proxy.async.shared::cta;
// SM90-NOT: st.shared
// SM90: cp.async.bulk.wait_group.read 1;
// SM90-NOT: st.shared
// SM90: bar.sync
// SM90-NOT: {{bar.sync|fence}}
// SM90: cp.async.bulk.global.shared::cta.bulk_group
// SM90-NOT: bar.sync
// SM90: cp.async.bulk.commit_group;
// SM90-NOT: {{bar.sync|fence}}
// SM90: cp.async.bulk.wait_group 0;
// SM90: bar.sync
// SM90: cp.async.bulk.wait_group.read 0;
// SM75: st.shared
// SM75: bar.sync
// SM75-NOT: {{st.shared|bar.sync}}
// SM75: st.global
// CHECK: ret;
extern "C" __global__ void three_slots(float* out, int tiles) {
  produce<3, tilepipe::Block<128>>(out, tiles);
}

// One slot: it is taken again after its store has read it, and a barrier.
// CHECK-LABEL: .entry one_slot(
// SM90: cp.async.bulk.wait_group.read 0;
// SM90: bar.sync
// SM90: st.shared
// SM90: fence.proxy.async.shared::cta;
// SM90-NOT: wait_group
// SM90: bar.sync
// SM90: cp.async.bulk.global.shared::cta.bulk_group
// SM90: cp.async.bulk.commit_group;
// CHECK: ret;
extern "C" __global__ void one_slot(float* out, int tiles) {
  produce<1, tilepipe::Block<128>>(out, tiles);
}

// A warp's own ring: no barrier of the block.
// CHECK-LABEL: .entry of_a_warp(
// CHECK-NOT: bar.sync
// SM90: fence.proxy.async.shared::cta;
// SM90: cp.async.bulk.wait_group.read 0;
// SM90: bar.warp.sync
// SM90: cp.async.bulk.global.shared::cta.bulk_group
// CHECK-NOT: bar.sync
// CHECK: ret;
extern "C" __global__ void of_a_warp(float* out, int tiles) {
  produce<2, tilepipe::Warp>(out, tiles);
}

// With roles the computing threads' own barrier.
// CHECK-LABEL: .entry in_roles(
// CHECK: mov.{{[bu]}}32 [[ID:%r[0-9]+]], 15;
// CHECK-NOT: bar.sync 0
// CHECK: bar.sync [[ID]], %r
// CHECK-NOT: bar.sync 0
// CHECK: ret;
extern "C" __global__ void in_roles(float* out, int tiles) {
  produce<2, tilepipe::Specialized<32, 128>>(out, tiles);
}

// Adding: in bulk, and where it is plain one element after the other.
// CHECK-LABEL: .entry adding(
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32
// SM75: red.relaxed.gpu.global.add.f32
// CHECK: ret;
extern "C" __global__ void adding(float* out, int tiles) {
  produce<2, tilepipe::Block<128>, tilepipe::ReduceAdd>(out, tiles);
}

// Plain stores demanded: no fence, and nothing in bulk.
// CHECK-LABEL: .entry plain(
// CHECK-NOT: {{fence|cp.async}}
// CHECK: bar.sync
// CHECK-NOT: {{fence|cp.async}}
// CHECK: st.global.v4
// CHECK-NOT: {{fence|cp.async}}
// CHECK: ret;
extern "C" __global__ void plain(float* out, int tiles) {
  produce<2, tilepipe::Block<128>, Via<registers>>(out, tiles);
}

template <class... Options>
__device__ void produce_by_map(const tilepipe::TensorSource<Matrix>& to, int tiles) {
  __shared__ StoreRing<Matrix, 2> ring;
  TileStorer<Matrix, tilepipe::Mapped, Options...> store{to};
  StorePipeline stores{ring, tilepipe::Block<128>{}, store};
#pragma unroll 1
  for (int t = 0; t < tiles; ++t) {
    stores.acquire()[static_cast<int>(threadIdx.x)] = static_cast<float>(t);
    stores.store(16 * t, 0);
  }
  stores.drain();
}

// A mapped destination: a box by the map, where its start has a place there, and plain stores where
// it has not.
// CHECK-LABEL: .entry by_a_map(
// SM90: prefetch.tensormap
// SM90: st.shared
// SM90: fence.proxy.async.shared::cta;
// SM90: cp.async.bulk.wait_group.read 0;
// SM90: bar.sync
// SM90-NOT: {{bar.sync|fence}}
// SM90: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// SM90: cp.async.bulk.commit_group;
// SM90: cp.async.bulk.wait_group 0;
// SM75-NOT: tensor
// CHECK: ret;
extern "C" __global__ void by_a_map(const __grid_constant__ tilepipe::TensorSource<Matrix> to,
                                    int tiles) {
  produce_by_map(to, tiles);
}

// The same where it adds, by a cache hint that the issuing thread makes; rows that are cut go by
// red.
// clang-format off
// CHECK-LABEL: .entry adding_by_a_map(
// SM90: bar.sync
// SM90: createpolicy.fractional.L2::evict_last.b64 [[POLICY:%rd[0-9]+]];
// SM90: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group.L2::cache_hint
// SM90-SAME: , [[POLICY]];
// SM90: red.relaxed.gpu.global.add.f32
// SM90: cp.async.bulk.commit_group;
// SM75-NOT: {{tensor|createpolicy}}
// SM75: red.relaxed.gpu.global.add.f32
// CHECK: ret;
// clang-format on
extern "C" __global__ void adding_by_a_map(
    const __grid_constant__ tilepipe::TensorSource<Matrix> to, int tiles) {
  produce_by_map<tilepipe::ReduceAdd, tilepipe::EvictLast>(to, tiles);
}
