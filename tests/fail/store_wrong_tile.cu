// SPDX-License-Identifier: Apache-2.0
// A storer of another tile type than the ring's.
// expect: tilepipe::StorePipeline stores{ring, store}: the storer is for another tile type; use
//   one for the ring's tiles
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COUNT 1024
#else
#define COUNT 512
#endif

__global__ void kernel(float* out) {
  __shared__ tilepipe::StoreRing<tilepipe::Tile<float, 1024>, 2> ring;
  tilepipe::TileStorer<tilepipe::Tile<float, COUNT>> store{out};
  tilepipe::StorePipeline stores{ring, store};
}
