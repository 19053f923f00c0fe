// SPDX-License-Identifier: Apache-2.0
// Registers of roles: setmaxnreg once a role where the target has it, and nothing elsewhere.
// RUN-ARCH: 80 90 90a
// BUDGET: 90a accumulators registers=168 spill=0
#include "ptx/streams.cuh"

using Split = tilepipe::SplitRegisters<40, 232>;
using Roles = tilepipe::Specialized<128, 256>;

// The barriers are made; then each role takes its own, before anything is loaded.
// CHECK-LABEL: .entry accumulators(
// SM80-NOT: setmaxnreg
// SM90-NOT: setmaxnreg
// SM90a: mbarrier.init
// SM90a: bar.sync
// SM90a-NOT: cp.async
// SM90a: setmaxnreg.inc.sync.aligned.u32 232;
// SM90a: ld.shared
// SM90a-NOT: cp.async
// SM90a: setmaxnreg.dec.sync.aligned.u32 40;
// SM90a: cp.async.bulk
// SM90a-NOT: setmaxnreg
// CHECK: ret;
extern "C" __global__ void __launch_bounds__(384, 1)
    accumulators(const float* in, float* out, int tiles) {
  __shared__ tilepipe::Ring<StageOf<Vector>, 4> ring;
  tilepipe::TileLoader<Vector> load{in};
  tilepipe::Pipeline pipe{ring, Roles{}, Split{}, load};
  static_assert(tilepipe::this_arch == 0 || pipe.splits_registers == tilepipe::specific_target);
  const auto fill = [&](StageOf<Vector>& s, int t) { pipe.fill(load, s.x, 1024ll * t); };
  if (pipe.is_producer()) {
    pipe.run(tiles, fill, [](const StageOf<Vector>&, int) {});
    return;
  }
  float sum[200];
#pragma unroll
  for (int i = 0; i < 200; ++i) sum[i] = 0;
  pipe.run(tiles, fill, [&](const StageOf<Vector>& s, int) {
#pragma unroll
    for (int i = 0; i < 200; ++i)
      sum[i] += s.x[(i * 4 + pipe.rank()) & 1023] * sum[(i * 7 + 3) % 200];
  });
#pragma unroll
  for (int i = 0; i < 200; ++i) out[i * 256 + pipe.rank()] = sum[i];
}
