// SPDX-License-Identifier: Apache-2.0
// Bulk stores demanded where 8 bytes are promised.
// expect: tilepipe::TileStorer<Tile, Via<Path::bulk>>: bulk stores need 16-byte alignment of rows,
//   pitch and layout; leave Via out to let the library choose
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BYTES 16
#else
#define BYTES 8
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::Tile<float, 1024>, tilepipe::Aligned<BYTES>,
                       tilepipe::Via<tilepipe::Path::bulk>>
      store{out};
}
