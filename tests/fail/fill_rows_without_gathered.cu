// SPDX-License-Identifier: Apache-2.0
// Rows by a functor, of a loader that is not Gathered.
// expect: tilepipe::Pipeline::fill(load, tile, row_of, col): rows by a functor need
//   TileLoader<Tile, Gathered>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define KIND Gathered
#else
#define KIND Exact
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
  pipe.fill(
      load, s.x, [](int r) { return r; }, 0);
}
