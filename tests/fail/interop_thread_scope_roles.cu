// SPDX-License-Identifier: Apache-2.0
// The other library's pipeline of one thread in roles.
// expect: tilepipe::Pipeline{ring, Specialized{}, loaders...}: a cuda::pipeline of one thread
//   cannot hand tiles to another; pass interop::bind(pipeline) of a cuda::pipeline of block scope
#include <tilepipe/interop/libcudacxx.cuh>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
using Team = tilepipe::Block<96>;
#else
using Team = tilepipe::Specialized<32, 64>;
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::libcudacxx>> load{in};
  tilepipe::Pipeline pipe{ring, Team{}, load};
}
