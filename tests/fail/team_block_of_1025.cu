// SPDX-License-Identifier: Apache-2.0
// A block of more threads than there can be.
// expect: tilepipe::Block<Threads>: Threads must be 0..1024
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define THREADS 1024
#else
#define THREADS 1025
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<THREADS>{}, load};
}
