// SPDX-License-Identifier: Apache-2.0
// The same transform with nothing staged: grid-stride and one-shot kernels of float4.
#pragma once

#include "arithmetic.cuh"

namespace baseline {

// Vectors float4 a thread and step, Threads * 4 apart, then a stride of the whole grid. With a grid
// that covers the source the loop runs once.
template <int W, int Vectors, int Threads>
__global__ void __launch_bounds__(Threads)
    direct_grid_stride(const float* in, float* out, long long count) {
  constexpr long long step = static_cast<long long>(Vectors) * Threads * 4;
  for (long long i = blockIdx.x * step + threadIdx.x * 4; i < count; i += gridDim.x * step) {
    float4 v[Vectors];
#pragma unroll
    for (int j = 0; j < Vectors; ++j) {
      const long long at = i + static_cast<long long>(j) * Threads * 4;
      v[j] = at < count ? load4(in + at) : float4{};
    }
#pragma unroll
    for (int j = 0; j < Vectors; ++j) {
      const long long at = i + static_cast<long long>(j) * Threads * 4;
      if (at < count) store4<W>(out + at, v[j]);
    }
  }
}

}  // namespace baseline
