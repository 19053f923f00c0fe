// SPDX-License-Identifier: Apache-2.0
// Bulk stores demanded of a swizzled tile.
// expect: tilepipe::TileStorer<SwizzledTile, Via<Path::bulk>>: bulk stores read rows as they are
//   and do not swizzle; use Tile or PaddedTile, or leave Via out
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define TILE Tile
#else
#define TILE SwizzledTile
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::TILE<float, 8, 64>, tilepipe::Via<tilepipe::Path::bulk>> store{
      out, 64, 64, 64};
}
