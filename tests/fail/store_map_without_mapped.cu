// SPDX-License-Identifier: Apache-2.0
// A destination with a map for a storer that is not mapped.
// expect: tilepipe::TileStorer<Tile> store{tensor_source}: a TensorSource is for Mapped storers;
//   say Mapped, or pass a Destination
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Mapped
#else
#define OPTION tilepipe::Exact
#endif

using Tile = tilepipe::Tile<float, 8, 64>;

__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> to) {
  tilepipe::TileStorer<Tile, OPTION> store{to};
}
