// SPDX-License-Identifier: Apache-2.0
// Tensor stores that are to add doubles.
// expect: tilepipe::TileStorer<Tile, Mapped, ReduceAdd, Via<Path::tensor>>: tensor stores add no
//   double; leave Via out: bulk stores do
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define ELEMENT float
#else
#define ELEMENT double
#endif

using Tile = tilepipe::Tile<ELEMENT, 8, 64>;

__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> to) {
  tilepipe::TileStorer<Tile, tilepipe::Mapped, tilepipe::ReduceAdd,
                       tilepipe::Via<tilepipe::Path::tensor>>
      store{to};
}
