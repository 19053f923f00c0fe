// SPDX-License-Identifier: Apache-2.0
// The register path: all loads of a tile, compute on the one before, the stores; no local memory.
// RUN-ARCH: 75 90
#include "ptx/streams.cuh"

// CHECK-LABEL: .entry two_phases(
// CHECK-NOT: .local
// The loop: barrier, loads of the next tile, reads of this one, stores.
// CHECK: st.shared.v4
// CHECK: bar.sync
// CHECK: ld.global.v4
// CHECK-NOT: st.shared
// CHECK: ld.global.v4
// CHECK-NOT: st.shared
// CHECK: ld.shared
// CHECK: st.global
// CHECK: st.shared.v4
// CHECK: st.shared.v4
// CHECK-NOT: .local
// CHECK: ret;
extern "C" __global__ void two_phases(const float* in, float* out, int tiles) {
  stream<2, tilepipe::Block<128>, tilepipe::Policy<>, Via<registers>>(in, out, tiles);
}

// Zeros at an edge are made in registers.
// CHECK-LABEL: .entry zeros(
// CHECK-NOT: .local
// CHECK: ret;
extern "C" __global__ void zeros(const float* in, float* out, int tiles, int count) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 2> ring;
  tilepipe::TileLoader<Vector, tilepipe::ZeroFill, Via<registers>> load{in, count};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<128>{}, load};
  pipe.run(
      tiles, [&](auto& s, int t) { pipe.fill(load, s.x, 1024ll * t); },
      [&](const auto& s, int t) {
        pipe.for_each(s.x, [&](int i, float v) { out[1024ll * t + i] = 2 * v; });
      });
}
