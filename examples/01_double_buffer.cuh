// SPDX-License-Identifier: Apache-2.0
// Twice each element: by a pipeline of stages, and by the loop that loads, waits, computes, waits.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace example {

// The README shows this kernel.
// clang-format off
template <int Stages>
__global__ void scale(const float* in, float* out, int tiles) {   // tiles of this block
  using Tile = tilepipe::Tile<float, 1024>;
  struct Stage { Tile x; };
  __shared__ tilepipe::Ring<Stage, Stages> ring;

  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, load};      // Pipeline<Stages, ...>: Stages from the ring, paths from the loaders
  auto at = [&](int t) { return (blockIdx.x + 1ll * t * gridDim.x) * 1024; };
  pipe.run(tiles,
      [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) { pipe.for_each(s.x, [&](int i, float v) { out[at(t) + i] = 2 * v; }); });
}
// clang-format on

// The same without a pipeline: memory rests while the block computes, and the block while memory
// works.
__global__ void scale_synchronous(const float* in, float* out, int tiles) {
  __shared__ float x[1024];
  for (int t = 0; t < tiles; ++t) {
    const long long at = (blockIdx.x + 1ll * t * gridDim.x) * 1024;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) x[i] = in[at + i];
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[at + i] = 2 * x[i];
    __syncthreads();
  }
}

}  // namespace example
