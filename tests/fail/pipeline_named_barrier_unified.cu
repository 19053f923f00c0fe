// SPDX-License-Identifier: Apache-2.0
// Named barriers demanded without roles.
// expect: tilepipe::Pipeline{..., CompleteBy<Completion::named_barrier>{}, ...}: named barriers
//   are for roles below compute capability 8.0; leave the completion out
// arch: 80
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COMPLETION groups
#else
#define COMPLETION named_barrier
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::registers>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<>{},
                          tilepipe::CompleteBy<tilepipe::Completion::COMPLETION>{}, load};
}
