// SPDX-License-Identifier: Apache-2.0
// More stages than there are named barriers for.
// expect: tilepipe::Pipeline{ring, Specialized{}, ...}: roles below compute capability 8.0 use
//   the named barriers 1 to 14, so Stages * (Parts + 1) must be at most 14, counted from
//   FirstBarrier, and less where the computing threads are several groups; use fewer stages or
//   parts
// arch: 75
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define STAGES 7
#else
#define STAGES 8
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, STAGES> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<32, 64>{}, load};
}
