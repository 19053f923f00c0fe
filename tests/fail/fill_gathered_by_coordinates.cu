// SPDX-License-Identifier: Apache-2.0
// Coordinates for a Gathered loader.
// expect: tilepipe::Pipeline::fill(load, tile, row, col): a Gathered loader takes (row functor,
//   column)
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define KIND Exact
#else
#define KIND Gathered
#endif

using Tile = tilepipe::Tile<float, 8, 64>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile, tilepipe::KIND> load{in, 64, 64, 64};
  tilepipe::Pipeline pipe{ring, load};
  Stage& s = pipe.producer_acquire();
  pipe.fill(load, s.x, 0, 0);
}
