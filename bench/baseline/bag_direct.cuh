// SPDX-License-Identifier: Apache-2.0
// Embedding bags without stages: a warp a bag, Rows rows loaded at once into registers.
#pragma once

namespace bench {

// Bags of 32 rows of 128 floats, which follow each other in `index`. Blocks of 128 threads, four
// bags each.
template <int Rows>
__global__ void __launch_bounds__(128)
    bag_direct(const float* __restrict__ table, const int* __restrict__ index,
               float* __restrict__ out) {
  const int lane = threadIdx.x % 32;
  const long long bag = blockIdx.x * 4ll + threadIdx.x / 32;
  const int mine = index[bag * 32 + lane];
  float4 sum = {};
#pragma unroll
  for (int first = 0; first < 32; first += Rows) {
    float4 row[Rows];
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      const long long at = __shfl_sync(0xffffffffu, mine, first + r);
      row[r] = __ldg(reinterpret_cast<const float4*>(table + at * 128) + lane);
    }
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      sum.x += row[r].x;
      sum.y += row[r].y;
      sum.z += row[r].z;
      sum.w += row[r].w;
    }
  }
  reinterpret_cast<float4*>(out + bag * 128)[lane] = sum;
}

}  // namespace bench
