// SPDX-License-Identifier: Apache-2.0
// A tensor store demanded of a destination without a map.
// expect: tilepipe::TileStorer<Tile, Via<Path::tensor>>: tensor stores need a tensor map; say
//   Mapped and pass a TensorSource, or leave Via out
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Via<tilepipe::Path::bulk>
#else
#define OPTION tilepipe::Via<tilepipe::Path::tensor>
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::Tile<float, 1024>, OPTION> store{out};
}
