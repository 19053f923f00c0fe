// SPDX-License-Identifier: Apache-2.0
// A tensor copy demanded of a tile with gaps.
// expect: tilepipe::TileLoader<PaddedTile, Via<Path::tensor>>: tensor copies write rows without
//   gaps; use Tile or SwizzledTile, or leave Via out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define WHAT cp_async
#else
#define WHAT tensor
#endif

using Tile = tilepipe::PaddedTile<16, float, 8, 64>;
__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> in) {
  tilepipe::TileLoader<Tile, tilepipe::Mapped, tilepipe::Via<tilepipe::Path::WHAT>> load{in};
}
