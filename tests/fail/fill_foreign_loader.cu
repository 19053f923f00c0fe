// SPDX-License-Identifier: Apache-2.0
// A fill by a loader that the pipeline was not given.
// expect: tilepipe::Pipeline::fill(load, ...): not a loader that the pipeline was given; name it
//   in the constructor
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define LOADER load
#else
#define LOADER other
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::TileLoader<Tile, tilepipe::CacheAll> other{in};
  tilepipe::Pipeline pipe{ring, load};
  Stage& s = pipe.producer_acquire();
  pipe.fill(LOADER, s.x, 0);
}
