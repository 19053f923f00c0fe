// SPDX-License-Identifier: Apache-2.0
// An mbarrier demanded below compute capability 8.0.
// expect: tilepipe::Pipeline{..., CompleteBy<Completion::mbarrier>{}, ...}: mbarriers need
//   compute capability 8.0; leave the completion out to let the library choose
// arch: 75
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COMPLETION groups
#else
#define COMPLETION mbarrier
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<>{},
                          tilepipe::CompleteBy<tilepipe::Completion::COMPLETION>{}, load};
}
