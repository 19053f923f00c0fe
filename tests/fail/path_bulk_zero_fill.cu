// SPDX-License-Identifier: Apache-2.0
// Bulk copies demanded of a tile with zeros at its edges.
// expect: tilepipe::TileLoader<Tile, ZeroFill, Via<Path::bulk>>: bulk copies have no bounds
//   handling; leave Via out, or use Exact or Skip
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define EDGE Skip
#else
#define EDGE ZeroFill
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::EDGE,
                       tilepipe::Via<tilepipe::Path::bulk>>
      load{in, 64, 64, 64};
}
