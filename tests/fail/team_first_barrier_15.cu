// SPDX-License-Identifier: Apache-2.0
// A first named barrier beyond those that a block has for roles.
// expect: tilepipe::Specialized<Producers, Consumers, FirstBarrier>: FirstBarrier must be 1..14
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define FIRST 1
#else
#define FIRST 15
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<32, 64, FIRST>{}, load};
}
