// SPDX-License-Identifier: Apache-2.0
// Two tiles a stage by hand, their cp.async copies issued in slices between the compute steps.
#pragma once

#include "arithmetic.cuh"
#include "instructions.cuh"

namespace baseline {

// out = work(a) + b. A slice is one vector a thread of either tile; so is a compute step.
template <int W, int N, int S, int Threads>
__global__ void __launch_bounds__(Threads)
    sliced_groups(const float* in_a, const float* in_b, float* out, int tiles) {
  constexpr int slices = N / (Threads * 4);
  static_assert(N % (Threads * 4) == 0, "whole slices");
  struct Stage {
    float a[N];
    float b[N];
  };
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto stage = reinterpret_cast<Stage*>(baseline_smem);
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
  const auto issue = [&](Stage& s, int t, int k) {
    const long long at = start_of_tile<N>(t);
    const int i = (k * Threads + rank) * 4;
    copy16(s.a + i, in_a + at + i);
    copy16(s.b + i, in_b + at + i);
  };
#pragma unroll
  for (int t = 0; t < S - 1; ++t) {
    if (t < mine) {
#pragma unroll
      for (int k = 0; k < slices; ++k) issue(stage[t], t, k);
    }
    commit_group();
  }
  int read = 0;
  int write = S - 1;
  for (int t = 0; t < mine; ++t) {
    wait_group<S - 2>();
    __syncthreads();
    float* to = out + start_of_tile<N>(t);
#pragma unroll
    for (int k = 0; k < slices; ++k) {
      if (t + S - 1 < mine) issue(stage[write], t + S - 1, k);
      const int i = (k * Threads + rank) * 4;
      const float4 a = load4(stage[read].a + i);
      const float4 b = load4(stage[read].b + i);
      *reinterpret_cast<float4*>(to + i) = make_float4(work<W>(a.x) + b.x, work<W>(a.y) + b.y,
                                                       work<W>(a.z) + b.z, work<W>(a.w) + b.w);
    }
    commit_group();
    if (++write == S) write = 0;
    if (++read == S) read = 0;
  }
}

}  // namespace baseline
