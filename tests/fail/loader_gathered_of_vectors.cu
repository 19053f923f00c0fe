// SPDX-License-Identifier: Apache-2.0
// Gathered rows for a tile without rows.
// expect: tilepipe::TileLoader<Tile, Gathered>: a gathered tile has rows and columns; use
//   Tile<T, Rows, Cols>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define EXTENTS 8, 64
#else
#define EXTENTS 64
#endif

using Tile = tilepipe::Tile<float, EXTENTS>;

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<Tile, tilepipe::Gathered> load{tilepipe::Source<float, Tile::rank>{in}};
}
