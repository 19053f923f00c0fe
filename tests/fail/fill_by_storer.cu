// SPDX-License-Identifier: Apache-2.0
// A fill by a storer, which the pipeline was given.
// expect: tilepipe::Pipeline::fill(load, ...): not a loader that the pipeline was given; name it
//   in the constructor
#include <tilepipe/tile_storer.cuh>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define LOADER load
#else
#define LOADER store
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in, float* out) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::TileStorer<Tile> store{out};
  tilepipe::Pipeline pipe{ring, load, store};
  Stage& s = pipe.producer_acquire();
  pipe.fill(LOADER, s.x, 0);
}
