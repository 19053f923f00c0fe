// SPDX-License-Identifier: Apache-2.0
// Bulk copies demanded of rows aligned to 8 bytes.
// expect: tilepipe::TileLoader<Tile, Via<Path::bulk>>: bulk copies need 16-byte alignment of
//   rows, pitch and layout; leave Via out to let the library choose
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BYTES 16
#else
#define BYTES 8
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::Aligned<BYTES>,
                       tilepipe::Via<tilepipe::Path::bulk>>
      load{in, 64, 64, 64};
}
