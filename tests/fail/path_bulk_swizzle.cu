// SPDX-License-Identifier: Apache-2.0
// Bulk copies demanded of a swizzled tile.
// expect: tilepipe::TileLoader<SwizzledTile, Via<Path::bulk>>: bulk copies write rows as they
//   are and do not swizzle; use Tile or PaddedTile, or leave Via out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define TILE Tile
#else
#define TILE SwizzledTile
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::TILE<float, 8, 64>, tilepipe::Via<tilepipe::Path::bulk>> load{
      in, 64, 64, 64};
}
