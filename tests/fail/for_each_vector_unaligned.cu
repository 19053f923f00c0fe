// SPDX-License-Identifier: Apache-2.0
// Vectors that are not aligned in the second row.
// expect: tilepipe::Pipeline::for_each<Vector>(tile, f): a vector must be aligned in each row
//   and, in a swizzled tile, within 16 bytes; use a smaller one
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define VECTOR float
#else
#define VECTOR float4
#endif

using Tile = tilepipe::PaddedTile<4, float, 8, 8>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in, 64, 64, 64};
  tilepipe::Pipeline pipe{ring, load};
  pipe.for_each<VECTOR>(ring.stage[0].x, [](int, VECTOR) {});
}
