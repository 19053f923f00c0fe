// SPDX-License-Identifier: Apache-2.0
// Named barriers demanded of asynchronous copies.
// expect: tilepipe::Pipeline{..., CompleteBy<Completion::named_barrier>{}, ...}: asynchronous
//   copies do not complete on named barriers; leave the completion out
// arch: 80
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PATH registers
#else
#define PATH cp_async
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::PATH>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<32, 64>{},
                          tilepipe::CompleteBy<tilepipe::Completion::named_barrier>{}, load};
}
