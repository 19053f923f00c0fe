// SPDX-License-Identifier: Apache-2.0
// The arithmetic every streaming kernel does, and the order in which a tile is read and written.
#pragma once

namespace baseline {

// W dependent FMAs an element; W = 0 only doubles.
template <int W>
__device__ __forceinline__ float work(float v) {
  float a = v;
#pragma unroll
  for (int i = 0; i < W; ++i) a = fmaf(a, 1.0001f, v);
  return a * 2.0f;
}

__device__ __forceinline__ float4 load4(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}

template <int W>
__device__ __forceinline__ void store4(float* to, float4 v) {
  *reinterpret_cast<float4*>(to) =
      make_float4(work<W>(v.x), work<W>(v.y), work<W>(v.z), work<W>(v.w));
}

// One vector load, compute, one vector store, then the next: stores that leave in batches cost the
// DRAM its locality. `Threads` is the block's size, so that the loop unrolls.
template <int W, int N, int Threads>
__device__ __forceinline__ void transform_tile(const float* tile, float* to, int rank) {
  static_assert(N % (Threads * 4) == 0, "whole vectors");
#pragma unroll
  for (int j = 0; j < N / (Threads * 4); ++j) {
    const int i = (j * Threads + rank) * 4;
    store4<W>(to + i, load4(tile + i));
  }
}

// Tile t of this block is tile blockIdx.x + t * gridDim.x of the grid.
__device__ __forceinline__ int tiles_of_block(int tiles) {
  return (tiles - static_cast<int>(blockIdx.x) + static_cast<int>(gridDim.x) - 1) /
         static_cast<int>(gridDim.x);
}

template <int N>
__device__ __forceinline__ long long start_of_tile(int t) {
  return (blockIdx.x + static_cast<long long>(t) * gridDim.x) * N;
}

}  // namespace baseline
