// SPDX-License-Identifier: Apache-2.0
// An mbarrier for the copies of one thread.
// expect: tilepipe::Pipeline{ring, Thread{}, ...}: a thread's own copies complete by groups;
//   leave the completion out
// arch: 80
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define TEAM Warp
#else
#define TEAM Thread
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::cp_async>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::TEAM{},
                          tilepipe::CompleteBy<tilepipe::Completion::mbarrier>{}, load};
}
