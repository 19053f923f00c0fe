// SPDX-License-Identifier: Apache-2.0
// What kernels over rows of bf16 share: eight elements at once, and reductions of a block.
#pragma once

#include <cuda_bf16.h>

namespace support {

// Eight neighbours, read and written at once.
struct alignas(16) EightBf16 {
  __nv_bfloat162 pair[4];
};
__device__ inline void unpack(const EightBf16& from, float (&to)[8]) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float2 two = __bfloat1622float2(from.pair[k]);
    to[2 * k] = two.x;
    to[2 * k + 1] = two.y;
  }
}
__device__ inline EightBf16 pack(const float (&from)[8]) {
  EightBf16 to;
#pragma unroll
  for (int k = 0; k < 4; ++k) to.pair[k] = __floats2bfloat162_rn(from[2 * k], from[2 * k + 1]);
  return to;
}

struct Maximum {
  static constexpr float none = -3.402823466e38f;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  static constexpr float none = 0;
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <class Op>
__device__ inline float reduce_warp(float v, Op op) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v = op(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}
// op over the values of a block of Threads threads, in all of them. words: Threads / 32, in shared
// memory, which nobody else uses until the block's next barrier but this one.
template <int Threads, class Op>
__device__ float reduce_block(float v, float* words, Op op) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  v = reduce_warp(v, op);
  if (lane == 0) words[warp] = v;
  __syncthreads();
  return reduce_warp(lane < Threads / 32 ? words[lane] : Op::none, op);
}

}  // namespace support
