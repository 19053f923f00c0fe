// SPDX-License-Identifier: Apache-2.0
// A store of rows and columns from a stage by one coordinate.
// expect: tilepipe::Pipeline::store(store, tile, at...): a store takes one coordinate for each
//   extent of the tile, slowest first
#include <tilepipe/tile_storer.cuh>
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

__global__ void kernel(const float* in, float* out) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in, 64, 64, 64};
  tilepipe::TileStorer<Tile> store{out, 64, 64, 64};
  tilepipe::Pipeline pipe{ring, load, store};
  Stage& s = pipe.consumer_wait(tilepipe::writable);
  pipe.store_last(store, s.x, AT);
}
