// SPDX-License-Identifier: Apache-2.0
// A store from a stage by a storer that the pipeline was not given.
// expect: tilepipe::Pipeline::store(store, ...): not a storer of the pipeline; name it in the
//   constructor
#include <tilepipe/tile_storer.cuh>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define LOADERS load, store
#else
#define LOADERS load
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in, float* out) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::TileStorer<Tile> store{out};
  tilepipe::Pipeline pipe{ring, LOADERS};
  Stage& s = pipe.consumer_wait(tilepipe::writable);
  pipe.store(store, s.x, 0);
}
