// SPDX-License-Identifier: Apache-2.0
// Tensor stores that are to add.
// expect: tilepipe::TileStorer<Tile, Mapped, ReduceAdd, Via<Path::tensor>>: a map has integers for
//   its elements, which do not add; leave Via out: bulk stores add
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Exact
#else
#define OPTION tilepipe::ReduceAdd
#endif

using Tile = tilepipe::Tile<float, 8, 64>;

__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> to) {
  tilepipe::TileStorer<Tile, tilepipe::Mapped, OPTION, tilepipe::Via<tilepipe::Path::tensor>> store{
      to};
}
