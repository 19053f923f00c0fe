// SPDX-License-Identifier: Apache-2.0
// cp.async demanded below compute capability 8.0.
// expect: tilepipe::TileLoader<Tile, Via<Path::cp_async>>: cp.async needs compute capability
//   8.0; leave Via out to let the library choose
// arch: 75
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PATH registers
#else
#define PATH cp_async
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::Via<tilepipe::Path::PATH>> load{
      in, 64, 64, 64};
}
