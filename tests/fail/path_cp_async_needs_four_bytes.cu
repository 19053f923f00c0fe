// SPDX-License-Identifier: Apache-2.0
// cp.async demanded of copies of 2 bytes.
// expect: tilepipe::TileLoader<Tile, Via<Path::cp_async>>: cp.async moves 4, 8 or 16 bytes, and
//   row length, layout or Aligned<n> allow fewer than 4; leave Via out, or say AnyAlignment
// arch: 80
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BYTES 4
#else
#define BYTES 2
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::Aligned<BYTES>,
                       tilepipe::Via<tilepipe::Path::cp_async>>
      load{in, 64, 64, 64};
}
