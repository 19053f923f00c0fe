// SPDX-License-Identifier: Apache-2.0
// A store from a stage by the storer of another tile.
// expect: tilepipe::Pipeline::store(store, tile, ...): the storer is for another tile type; store
//   each tile by its own
#include <tilepipe/tile_storer.cuh>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define STORED x
#else
#define STORED y
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
  tilepipe::Tile<float, 512> y;
};

__global__ void kernel(const float* in, float* out) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::TileStorer<Tile> store{out};
  tilepipe::Pipeline pipe{ring, load, store};
  Stage& s = pipe.consumer_wait(tilepipe::writable);
  pipe.store(store, s.STORED, 0);
}
