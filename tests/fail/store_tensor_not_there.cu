// SPDX-License-Identifier: Apache-2.0
// A path that is not in this version.
// expect: tilepipe::TileStorer<Tile, Via<Path::tensor>>: tensor stores are not in this version;
//   leave Via out to let the library choose
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Via<tilepipe::Path::bulk>
#else
#define OPTION tilepipe::Via<tilepipe::Path::tensor>
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::Tile<float, 1024>, OPTION> store{out};
}
