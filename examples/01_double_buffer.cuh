// SPDX-License-Identifier: Apache-2.0
// Twice each element: by a pipeline of stages, and by the loop that loads, waits, computes, waits.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace example {

// The README shows this kernel.
// clang-format off
template <int Stages>
__global__ void scale(const float* in, float* out, int tiles) {   // tiles of this block
  using Tile = tilepipe::Tile<float, 4096>;
  struct Stage { Tile x; };
  __shared__ tilepipe::Ring<Stage, Stages> ring;

  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, load};      // Pipeline<Stages, ...>: Stages from the ring, paths from the loaders
  auto at = [&](int t) { return (blockIdx.x + 1ll * t * gridDim.x) * 4096; };
  pipe.run(tiles,
      [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) { pipe.transform(s.x, out + at(t), [](float v) { return 2 * v; }); });
}
// clang-format on

// The same without a pipeline: memory rests while the block computes, and the block while memory
// works.
__global__ void scale_synchronous(const float* in, float* out, int tiles) {
  __shared__ float x[4096];
  for (int t = 0; t < tiles; ++t) {
    const long long at = (blockIdx.x + 1ll * t * gridDim.x) * 4096;
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) x[i] = in[at + i];
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) out[at + i] = 2 * x[i];
    __syncthreads();
  }
}

}  // namespace example
