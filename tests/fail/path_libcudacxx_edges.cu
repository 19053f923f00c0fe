// SPDX-License-Identifier: Apache-2.0
// cuda::memcpy_async demanded of a tile with edges.
// expect: tilepipe::TileLoader<Tile, Via<Path::libcudacxx>>: cuda::memcpy_async has no bounds
//   handling; use Exact, or leave Via out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define EDGE Exact
#else
#define EDGE Skip
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::EDGE,
                       tilepipe::Via<tilepipe::Path::libcudacxx>>
      load{in, 64, 64, 64};
}
