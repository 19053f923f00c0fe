// SPDX-License-Identifier: Apache-2.0
// Groups demanded of bulk copies.
// expect: tilepipe::Pipeline{..., CompleteBy<Completion::groups>{}, ...}: bulk and
//   tensor copies complete on an mbarrier; leave the completion out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COMPLETION mbarrier
#else
#define COMPLETION groups
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::bulk>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<>{},
                          tilepipe::CompleteBy<tilepipe::Completion::COMPLETION>{}, load};
}
