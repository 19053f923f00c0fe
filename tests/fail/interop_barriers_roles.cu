// SPDX-License-Identifier: Apache-2.0
// cuda::barriers of the user's in roles.
// expect: tilepipe::interop::bind(barriers): one barrier a stage has no place for roles; bind a
//   cuda::pipeline of block scope instead
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
  __shared__ cuda::barrier<cuda::thread_scope_block> barriers[2];
  if (threadIdx.x == 0)
    for (auto& barrier : barriers) init(&barrier, blockDim.x);
  __syncthreads();
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::libcudacxx>> load{in};
  tilepipe::Pipeline pipe{ring, Team{}, tilepipe::interop::bind(barriers), load};
}
