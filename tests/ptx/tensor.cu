// SPDX-License-Identifier: Apache-2.0
// Tensor copies of a mapped loader: the map is fetched ahead, boxes come after the stage is free
// and before the arrival that expects their bytes; below 9.0 the plain view.
// RUN-ARCH: 75 80 90 90a 100 120
#include <tilepipe/tilepipe.cuh>

using Panels = tilepipe::SwizzledTile<short, 16, 128>;  // two boxes of 16 x 64
using Wide = tilepipe::Tile<float, 4, 512>;             // eight boxes of a row's half
template <class Tile>
struct Stage {
  Tile x;
};

template <class Team, class... Options, class Tile>
__device__ void sum(const tilepipe::TensorSource<Tile>& in, float* out, int tiles, bool write) {
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& ring = *reinterpret_cast<tilepipe::Ring<Stage<Tile>, 2>*>(shared);
  tilepipe::TileLoader<Tile, tilepipe::Mapped, tilepipe::ZeroFill, Options...> load{in};
  tilepipe::Pipeline pipe{ring, Team{}, load};
  const auto fill = [&](Stage<Tile>& s, int t) { pipe.fill(load, s.x, t, -8); };
  if (write)
    pipe.run(tiles, fill, [&](Stage<Tile>& s, int) { s.x[pipe.rank()] += 1; });
  else
    pipe.run(tiles, fill, [&](const Stage<Tile>& s, int) {
      out[pipe.rank()] += static_cast<float>(s.x[pipe.rank()]);
    });
}

// clang-format off
// CHECK-LABEL: .entry roles(
// SM75-NOT: cp.async
// SM80-NOT: bulk
// SM80: cp.async.cg.shared.global
// SM90: mbarrier.init.shared::cta.b64
// SM90: fence.mbarrier_init.release.cluster;
// SM90: fence.proxy.async.shared::cta;
// SM90: prefetch.tensormap
// SM90: shfl.sync.idx.b32
// SM90: mbarrier.try_wait.parity.shared::cta.b64
// SM90: bar.warp.sync
// SM90: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {[[X:%r[0-9]+]], [[Y:%r[0-9]+]]}]
// SM90: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {{.*}}, [[Y]]}]
// SM90: mbarrier.arrive.expect_tx.shared::cta.b64
// SM90-NOT: {{fence.proxy|cache_hint|createpolicy}}
// CHECK: ret;
// clang-format on
extern "C" __global__ void __launch_bounds__(96)
    roles(const __grid_constant__ tilepipe::TensorSource<Panels> in, float* out, int tiles) {
  sum<tilepipe::Specialized<32, 64>>(in, out, tiles, false);
}

// A compute that writes: each writer fences behind its last access; the loop goes on with a
// barrier, behind which the stage is refilled.
//
// CHECK-LABEL: .entry written(
// SM90: cp.async.bulk.tensor.2d
// SM90: bar.sync
// SM90: cp.async.bulk.tensor.2d
// SM90: st.shared.u16
// SM90: fence.proxy.async.shared::cta;
// CHECK: ret;
extern "C" __global__ void __launch_bounds__(64)
    written(const __grid_constant__ tilepipe::TensorSource<Panels> in, float* out, int tiles) {
  sum<tilepipe::Block<64>>(in, out, tiles, true);
}

// More than four boxes: each lane of the first warp issues its own, in one loop.
// CHECK-LABEL: .entry many_boxes(
// SM90-COUNT-1: cp.async.bulk.tensor.2d
// SM90-NOT: cp.async.bulk.tensor
// CHECK: ret;
extern "C" __global__ void __launch_bounds__(96)
    many_boxes(const __grid_constant__ tilepipe::TensorSource<Wide> in, float* out, int tiles) {
  sum<tilepipe::Specialized<32, 64>>(in, out, tiles, false);
}

// A cache hint, made by the thread that issues; without the option there is none, as above.
// CHECK-LABEL: .entry evict_first(
// SM90: createpolicy.fractional.L2::evict_first.b64 [[POLICY:%rd[0-9]+]];
// SM90: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint
// SM90-SAME: , [[POLICY]];
// SM80-NOT: createpolicy
// SM75-NOT: createpolicy
// CHECK: ret;
extern "C" __global__ void __launch_bounds__(96)
    evict_first(const __grid_constant__ tilepipe::TensorSource<Panels> in, float* out, int tiles) {
  sum<tilepipe::Specialized<32, 64>, tilepipe::EvictFirst>(in, out, tiles, false);
}
