// SPDX-License-Identifier: Apache-2.0
// Roles of more threads than a block has.
// expect: tilepipe::Specialized<Producers, Consumers>: a block has at most 1024 threads
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define CONSUMERS 992
#else
#define CONSUMERS 1024
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<32, CONSUMERS>{}, load};
}
