// SPDX-License-Identifier: Apache-2.0
// Bulk copies demanded below compute capability 9.0.
// expect: tilepipe::TileLoader<Tile, Via<Path::bulk>>: bulk copies need compute capability 9.0;
//   leave Via out to let the library choose
// arch: 80
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PATH cp_async
#else
#define PATH bulk
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::Via<tilepipe::Path::PATH>> load{
      in, 64, 64, 64};
}
