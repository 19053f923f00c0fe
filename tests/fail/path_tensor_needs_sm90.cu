// SPDX-License-Identifier: Apache-2.0
// A tensor copy demanded below 9.0.
// arch: 80
// expect: tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies need compute capability
//   9.0; leave Via out to let the library choose
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define WHAT cp_async
#else
#define WHAT tensor
#endif

using Tile = tilepipe::Tile<float, 8, 64>;
__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> in) {
  tilepipe::TileLoader<Tile, tilepipe::Mapped, tilepipe::Via<tilepipe::Path::WHAT>> load{in};
}
