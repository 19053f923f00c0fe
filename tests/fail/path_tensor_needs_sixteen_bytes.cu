// SPDX-License-Identifier: Apache-2.0
// A tensor copy demanded of a tile that may start at any 4 bytes.
// expect: tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies need 16-byte alignment of
//   base, strides and the first element of each tile; leave Aligned<n> and AnyAlignment out, or
//   leave Via out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BYTES 16
#else
#define BYTES 4
#endif

using Tile = tilepipe::Tile<float, 8, 64>;
__global__ void kernel(const __grid_constant__ tilepipe::TensorSource<Tile> in) {
  tilepipe::TileLoader<Tile, tilepipe::Mapped, tilepipe::Aligned<BYTES>,
                       tilepipe::Via<tilepipe::Path::tensor>>
      load{in};
}
