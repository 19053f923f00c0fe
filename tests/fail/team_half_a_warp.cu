// SPDX-License-Identifier: Apache-2.0
// A loading team of half a warp.
// expect: tilepipe::Specialized<Producers, Consumers>: both must be positive multiples of 32,
//   whole warps
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PRODUCERS 32
#else
#define PRODUCERS 16
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<PRODUCERS, 64>{}, load};
}
