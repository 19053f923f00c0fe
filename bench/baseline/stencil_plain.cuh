// SPDX-License-Identifier: Apache-2.0
// The 7-point stencil without staging: neighbours through the caches, planes in registers; and with
// a plane in shared memory.
#pragma once

namespace baseline {

struct StencilGrid {
  const float* in;  // dense; cols a multiple of 4
  float* out;
  int depth, rows, cols;
  float center, side;
};

__device__ __forceinline__ float4 zero4() { return make_float4(0, 0, 0, 0); }

__device__ __forceinline__ float4 load4_or_zero(const StencilGrid& g, int z, int y, int x) {
  if (z < 0 || z >= g.depth || y < 0 || y >= g.rows || x < 0 || x >= g.cols) return zero4();
  return *reinterpret_cast<const float4*>(g.in + (static_cast<long long>(z) * g.rows + y) * g.cols +
                                          x);
}

__device__ __forceinline__ float4 stencil4(const StencilGrid& g, float left, float4 c, float right,
                                           float4 up, float4 down, float4 before, float4 after) {
  return make_float4(g.center * c.x + g.side * (left + c.y + up.x + down.x + before.x + after.x),
                     g.center * c.y + g.side * (c.x + c.z + up.y + down.y + before.y + after.y),
                     g.center * c.z + g.side * (c.y + c.w + up.z + down.z + before.z + after.z),
                     g.center * c.w + g.side * (c.z + right + up.w + down.w + before.w + after.w));
}

__device__ __forceinline__ float beside(const StencilGrid& g, int z, int y, int x) {
  return x < 0 || x >= g.cols ? 0.0f : g.in[(static_cast<long long>(z) * g.rows + y) * g.cols + x];
}

// A thread walks along four columns; planes before and after stay in registers, the other
// neighbours come from the caches.
template <int Width, int Height>
__global__ void __launch_bounds__(Width* Height) stencil_registers(StencilGrid g, int slab) {
  const int x = (blockIdx.x * Width + threadIdx.x) * 4, y = blockIdx.y * Height + threadIdx.y;
  const int begin = blockIdx.z * slab, end = g.depth - begin < slab ? g.depth : begin + slab;
  if (x >= g.cols || y >= g.rows) return;
  float4 before = load4_or_zero(g, begin - 1, y, x), c = load4_or_zero(g, begin, y, x);
  for (int z = begin; z < end; ++z) {
    const float4 after = load4_or_zero(g, z + 1, y, x);
    const float4 v =
        stencil4(g, beside(g, z, y, x - 1), c, beside(g, z, y, x + 4),
                 load4_or_zero(g, z, y - 1, x), load4_or_zero(g, z, y + 1, x), before, after);
    *reinterpret_cast<float4*>(g.out + (static_cast<long long>(z) * g.rows + y) * g.cols + x) = v;
    before = c;
    c = after;
  }
}

// The same with the plane's patch in shared memory, two buffers by turns, one barrier a plane.
template <int Width, int Height>
__global__ void __launch_bounds__(Width* Height) stencil_shared(StencilGrid g, int slab) {
  __shared__ __align__(16) float plane[2][Height + 2][Width * 4 + 8];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = (blockIdx.x * Width + i) * 4, y = blockIdx.y * Height + j;
  const int begin = blockIdx.z * slab, end = g.depth - begin < slab ? g.depth : begin + slab;
  float4 before = load4_or_zero(g, begin - 1, y, x), c = load4_or_zero(g, begin, y, x);
  for (int z = begin; z < end; ++z) {
    const float4 after = load4_or_zero(g, z + 1, y, x);
    auto& p = plane[z & 1];
    *reinterpret_cast<float4*>(&p[j + 1][4 + i * 4]) = c;
    if (j == 0) *reinterpret_cast<float4*>(&p[0][4 + i * 4]) = load4_or_zero(g, z, y - 1, x);
    if (j == Height - 1)
      *reinterpret_cast<float4*>(&p[Height + 1][4 + i * 4]) = load4_or_zero(g, z, y + 1, x);
    if (i == 0) p[j + 1][3] = y < g.rows ? beside(g, z, y, x - 1) : 0.0f;
    if (i == Width - 1) p[j + 1][4 + Width * 4] = y < g.rows ? beside(g, z, y, x + 4) : 0.0f;
    __syncthreads();
    if (x < g.cols && y < g.rows) {
      const float4 v =
          stencil4(g, p[j + 1][3 + i * 4], c, p[j + 1][8 + i * 4],
                   *reinterpret_cast<const float4*>(&p[j][4 + i * 4]),
                   *reinterpret_cast<const float4*>(&p[j + 2][4 + i * 4]), before, after);
      *reinterpret_cast<float4*>(g.out + (static_cast<long long>(z) * g.rows + y) * g.cols + x) = v;
    }
    before = c;
    c = after;
  }
}

}  // namespace baseline
