// SPDX-License-Identifier: Apache-2.0
// Groups demanded of roles.
// expect: tilepipe::Pipeline{ring, Specialized{}, CompleteBy<Completion::groups>{}, ...}: groups
//   are known to the issuing thread alone, and roles need mbarriers; leave the completion out
// arch: 80
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
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::cp_async>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<32, 64>{},
                          tilepipe::CompleteBy<tilepipe::Completion::COMPLETION>{}, load};
}
