// SPDX-License-Identifier: Apache-2.0
// Registers split between warps that are no warpgroups.
// expect: tilepipe::SplitRegisters<Loading, Computing>: setmaxnreg is for whole warpgroups; use
//   Specialized with multiples of 128 threads, or leave it out
// arch: 90
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define CONSUMERS 256
#else
#define CONSUMERS 192
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void __launch_bounds__(384) kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<128, CONSUMERS>{},
                          tilepipe::SplitRegisters<40, 232>{}, load};
}
