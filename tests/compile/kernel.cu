// SPDX-License-Identifier: Apache-2.0
// The kernel that the compile tests build: one staged loop through the public header.
#include <tilepipe/tilepipe.cuh>

#ifndef TEST_KERNEL
#define TEST_KERNEL scale
#endif

template <int Stages>
__global__ void TEST_KERNEL(const float* in, float* out, int tiles) {
  using Tile = tilepipe::Tile<float, 1024>;
  struct Stage {
    Tile x;
  };
  __shared__ tilepipe::Ring<Stage, Stages> ring;

  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, load};
  auto at = [&](int t) { return (blockIdx.x + 1ll * t * gridDim.x) * 1024; };
  pipe.run(
      tiles, [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) {
        pipe.for_each(s.x, [&](int i, float v) { out[at(t) + i] = 2 * v; });
      });
}

template __global__ void TEST_KERNEL<1>(const float*, float*, int);
template __global__ void TEST_KERNEL<3>(const float*, float*, int);
