// SPDX-License-Identifier: Apache-2.0
// A source with a tensor map for a loader that is not mapped.
// expect: tilepipe::TileLoader<Tile> load{tensor_source}: a TensorSource is for Mapped loaders;
//   say Mapped, or pass tensor_source.view
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define SOURCE Mapped
#else
#define SOURCE ZeroFill
#endif

using Tile = tilepipe::Tile<float, 8, 64>;
__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> in) {
  tilepipe::TileLoader<Tile, tilepipe::SOURCE> load{in};
}
