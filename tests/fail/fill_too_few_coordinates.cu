// SPDX-License-Identifier: Apache-2.0
// A fill of a matrix tile by one coordinate.
// expect: tilepipe::Pipeline::fill(load, tile, at...): a fill takes one coordinate for each
//   extent of the tile, slowest first, or (row functor, column)
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define AT 0, 0
#else
#define AT 0
#endif

using Tile = tilepipe::Tile<float, 8, 64>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in, 64, 64, 64};
  tilepipe::Pipeline pipe{ring, load};
  Stage& s = pipe.producer_acquire();
  pipe.fill(load, s.x, AT);
}
