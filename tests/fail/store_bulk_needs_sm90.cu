// SPDX-License-Identifier: Apache-2.0
// Bulk stores demanded below 9.0.
// expect: tilepipe::TileStorer<Tile, Via<Path::bulk>>: bulk stores need compute capability 9.0;
//   leave Via out to let the library choose
// arch: 80
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Via<tilepipe::Path::registers>
#else
#define OPTION tilepipe::Via<tilepipe::Path::bulk>
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::Tile<float, 1024>, OPTION> store{out};
}
