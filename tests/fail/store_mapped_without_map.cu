// SPDX-License-Identifier: Apache-2.0
// A mapped storer of a destination without a map.
// expect: tilepipe::TileStorer<Tile, Mapped> store{to}: a mapped storer takes a
//   TensorSource<Tile>, which host::tensor_source<Tile> makes; pass one, or leave Mapped out
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Exact
#else
#define OPTION tilepipe::Mapped
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::Tile<float, 8, 64>, OPTION> store{out, 64, 64, 64};
}
