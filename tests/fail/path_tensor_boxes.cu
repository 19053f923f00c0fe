// SPDX-License-Identifier: Apache-2.0
// A tensor copy demanded of rows of 272 bytes, which boxes of 256 and less cut at odd places.
// expect: tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies bring boxes of at most
//   256 elements a side, which must lie at multiples of 128 bytes of shared memory, and the
//   extents of the tile have no such cut; choose other extents, or leave Via out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define WHAT 256
#else
#define WHAT 272
#endif

using Tile = tilepipe::Tile<unsigned char, 8, WHAT>;
__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> in) {
  tilepipe::TileLoader<Tile, tilepipe::Mapped, tilepipe::Via<tilepipe::Path::tensor>> load{in};
}
