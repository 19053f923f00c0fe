// SPDX-License-Identifier: Apache-2.0
// Vectors of which one would lie in two rows.
// expect: tilepipe::Pipeline::for_each<Vector>(tile, f): a row must be a whole number of vectors
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define VECTOR float2
#else
#define VECTOR float4
#endif

using Tile = tilepipe::Tile<float, 8, 6>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in, 64, 64, 64};
  tilepipe::Pipeline pipe{ring, load};
  pipe.for_each<VECTOR>(ring.stage[0].x, [](int, VECTOR) {});
}
