// SPDX-License-Identifier: Apache-2.0
// Width, cache operator, prefetch size and zero fill of cp.async.
// RUN-ARCH: 80
#include "ptx/streams.cuh"

using Block = tilepipe::Block<128>;
using Groups = tilepipe::CompleteBy<tilepipe::Completion::groups>;

// CHECK-LABEL: .entry width_4(
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.ca.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 4;
// CHECK-NOT: cp.async.cg
// CHECK: ret;
extern "C" __global__ void width_4(const float* in, float* out, int tiles) {
  stream<3, Block, Groups, tilepipe::Aligned<4>>(in, out, tiles);
}

// CHECK-LABEL: .entry width_8(
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.ca.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 8;
// CHECK-NOT: cp.async.cg
// CHECK: ret;
extern "C" __global__ void width_8(const float* in, float* out, int tiles) {
  stream<3, Block, Groups, tilepipe::Aligned<8>>(in, out, tiles);
}

// CHECK-LABEL: .entry width_16(
// CHECK-NOT: cp.async.ca
// CHECK: cp.async.cg.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// CHECK-NOT: cp.async.ca
// CHECK: ret;
extern "C" __global__ void width_16(const float* in, float* out, int tiles) {
  stream<3, Block, Groups, tilepipe::CacheGlobal>(in, out, tiles);
}

// CHECK-LABEL: .entry cache_all(
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.ca.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// CHECK-NOT: cp.async.cg
// CHECK: ret;
extern "C" __global__ void cache_all(const float* in, float* out, int tiles) {
  stream<3, Block, Groups, tilepipe::CacheAll>(in, out, tiles);
}

// CHECK-LABEL: .entry prefetch_64(
// CHECK: cp.async.cg.shared.global.L2::64B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// CHECK: ret;
extern "C" __global__ void prefetch_64(const float* in, float* out, int tiles) {
  stream<3, Block, Groups, tilepipe::L2Prefetch<64>>(in, out, tiles);
}

// CHECK-LABEL: .entry prefetch_128_narrow(
// CHECK: cp.async.ca.shared.global.L2::128B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 4;
// CHECK: ret;
extern "C" __global__ void prefetch_128_narrow(const float* in, float* out, int tiles) {
  stream<3, Block, Groups, tilepipe::L2Prefetch<128>, tilepipe::Aligned<4>>(in, out, tiles);
}

// CHECK-LABEL: .entry prefetch_256(
// CHECK: cp.async.cg.shared.global.L2::256B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// CHECK: ret;
extern "C" __global__ void prefetch_256(const float* in, float* out, int tiles) {
  stream<3, Block, Groups, tilepipe::L2Prefetch<256>>(in, out, tiles);
}

template <class Edge>
__device__ void edge(const float* in, float* out, int tiles, int count) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 3> ring;
  tilepipe::TileLoader<Vector, Edge> load{in, count};
  tilepipe::Pipeline pipe{ring, Block{}, Groups{}, load};
  pipe.run(
      tiles, [&](auto& s, int t) { pipe.fill(load, s.x, 1024ll * t); },
      [&](const auto& s, int t) {
        pipe.for_each(s.x, [&](int i, float v) { out[1024ll * t + i] = 2 * v; });
      });
}

// The zeros are the instruction's: no store to shared memory.
// CHECK-LABEL: .entry zero_fill(
// CHECK-NOT: st.shared
// CHECK: cp.async.cg.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16, {{%r[0-9]+}};
// CHECK-NOT: st.shared
// CHECK: ret;
extern "C" __global__ void zero_fill(const float* in, float* out, int tiles, int count) {
  edge<tilepipe::ZeroFill>(in, out, tiles, count);
}

// What is skipped is not written: whole chunks, or single bytes.
// CHECK-LABEL: .entry skip(
// CHECK-NOT: 16, {{%r[0-9]+}};
// CHECK: cp.async.cg.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// CHECK-NOT: 16, {{%r[0-9]+}};
// CHECK: ret;
extern "C" __global__ void skip(const float* in, float* out, int tiles, int count) {
  edge<tilepipe::Skip>(in, out, tiles, count);
}
