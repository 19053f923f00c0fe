// SPDX-License-Identifier: Apache-2.0
// A number of registers that is no multiple of 8.
// expect: tilepipe::SplitRegisters<Loading, Computing>: both must be 24 to 256 in steps of 8
// arch: 90
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COMPUTING 232
#else
#define COMPUTING 236
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void __launch_bounds__(384) kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<128, 256>{},
                          tilepipe::SplitRegisters<40, COMPUTING>{}, load};
}
