// SPDX-License-Identifier: Apache-2.0
// A tensor copy demanded of a tile whose cells outside the source are to stay.
// expect: tilepipe::TileLoader<Tile, Skip, Via<Path::tensor>>: tensor copies write zeros
//   outside the source; use ZeroFill, or leave Via out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define WHAT ZeroFill
#else
#define WHAT Skip
#endif

using Tile = tilepipe::Tile<float, 8, 64>;
__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> in) {
  tilepipe::TileLoader<Tile, tilepipe::Mapped, tilepipe::WHAT,
                       tilepipe::Via<tilepipe::Path::tensor>>
      load{in};
}
