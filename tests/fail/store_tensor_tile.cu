// SPDX-License-Identifier: Apache-2.0
// Tensor stores demanded of a tile whose rows are no multiple of 16 bytes.
// expect: tilepipe::TileStorer<Tile, Mapped, Via<Path::tensor>>: tensor stores need rows of a
//   multiple of 16 bytes, without gaps, that cut into boxes; leave Via out, or use another
//   tile
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COLS 64
#else
#define COLS 63
#endif

using Tile = tilepipe::Tile<float, 8, COLS>;

__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> to) {
  tilepipe::TileStorer<Tile, tilepipe::Mapped, tilepipe::Via<tilepipe::Path::tensor>> store{to};
}
