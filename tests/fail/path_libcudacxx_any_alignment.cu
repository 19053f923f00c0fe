// SPDX-License-Identifier: Apache-2.0
// cuda::memcpy_async demanded of a tile of unknown alignment.
// expect: tilepipe::TileLoader<Tile, AnyAlignment, Via<Path::libcudacxx>>: cuda::memcpy_async
//   takes its alignment at compile time; say Aligned<n>, or leave Via out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define ALIGNMENT Aligned<4>
#else
#define ALIGNMENT AnyAlignment
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::ALIGNMENT,
                       tilepipe::Via<tilepipe::Path::libcudacxx>>
      load{in, 64, 64, 64};
}
