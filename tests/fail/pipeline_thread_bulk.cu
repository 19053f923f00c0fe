// SPDX-License-Identifier: Apache-2.0
// Bulk copies of a thread of its own.
// expect: tilepipe::Pipeline{ring, Thread{}, loaders...}: a thread of its own cannot use bulk or
//   tensor copies; name another path with Via, or use Warp
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
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::bulk>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::TEAM{}, load};
}
