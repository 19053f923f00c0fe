// SPDX-License-Identifier: Apache-2.0
// A path from global to shared memory alone.
// expect: tilepipe::TileStorer<Tile, Via<Path::cp_async>>: cp.async copies from global to shared
//   memory alone; leave Via out to let the library choose
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Via<tilepipe::Path::bulk>
#else
#define OPTION tilepipe::Via<tilepipe::Path::cp_async>
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::Tile<float, 1024>, OPTION> store{out};
}
