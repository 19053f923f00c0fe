// SPDX-License-Identifier: Apache-2.0
// A tensor copy demanded of a source without a map.
// expect: tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies need a tensor map; say
//   Mapped and pass a TensorSource, or leave Via out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PATH bulk
#else
#define PATH tensor
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::Via<tilepipe::Path::PATH>> load{
      in, 64, 64, 64};
}
