// SPDX-License-Identifier: Apache-2.0
// A slice that does not exist.
// expect: tilepipe::slice<Index, Count>: Index must be 0..Count-1
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define INDEX 1
#else
#define INDEX 2
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, load};
  Stage& s = pipe.producer_acquire();
  pipe.fill(tilepipe::slice<INDEX, 2>, load, s.x, 0);
}
