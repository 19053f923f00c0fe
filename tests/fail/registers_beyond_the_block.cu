// SPDX-License-Identifier: Apache-2.0
// More registers than the block is launched with.
// expect: tilepipe::SplitRegisters<Loading, Computing, BlocksPerSm>: a block is launched with
//   65536 / (threads * BlocksPerSm) registers a thread, rounded down to 8; Loading must be at most
//   that, Computing at least that, and all threads' sum no more than the block's
// arch: 90
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COMPUTING 232
#else
#define COMPUTING 240
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
