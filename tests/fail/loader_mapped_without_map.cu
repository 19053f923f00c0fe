// SPDX-License-Identifier: Apache-2.0
// A mapped loader of a plain source.
// expect: tilepipe::TileLoader<Tile, Mapped> load{source}: a mapped loader takes a
//   TensorSource<Tile>, which host::tensor_source<Tile> makes; pass one, or leave Mapped out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define SOURCE ZeroFill
#else
#define SOURCE Mapped
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::SOURCE> load{in, 64, 64, 64};
}
