// SPDX-License-Identifier: Apache-2.0
// A tensor copy demanded, which this version has not.
// expect: tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies are not in this version;
//   leave Via out: mapped sources travel by their plain view
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PATH bulk
#else
#define PATH tensor
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::Mapped,
                       tilepipe::Via<tilepipe::Path::PATH>>
      load{in, 64, 64, 64};
}
