// SPDX-License-Identifier: Apache-2.0
// A pipeline that is copied.
// expect: cannot be referenced -- it is a deleted function
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define REFERENCE &
#else
#define REFERENCE
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, load};
  auto REFERENCE copy = pipe;
}
