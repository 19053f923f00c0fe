// SPDX-License-Identifier: Apache-2.0
// A tensor copy demanded of rows of 36 bytes.
// expect: tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies need rows of a multiple
//   of 16 bytes; widen the row, or leave Via out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define WHAT 12
#else
#define WHAT 9
#endif

using Tile = tilepipe::Tile<float, 8, WHAT>;
__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> in) {
  tilepipe::TileLoader<Tile, tilepipe::Mapped, tilepipe::Via<tilepipe::Path::tensor>> load{in};
}
