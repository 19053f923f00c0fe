// SPDX-License-Identifier: Apache-2.0
// A fill of a tile by the loader of another type.
// expect: tilepipe::Pipeline::fill(load, tile, ...): the loader is for another tile type; fill
//   each tile by its own
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define TILE x
#else
#define TILE y
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
  tilepipe::Tile<float, 512> y;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, load};
  Stage& s = pipe.producer_acquire();
  pipe.fill(load, s.TILE, 0);
}
