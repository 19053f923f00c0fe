// SPDX-License-Identifier: Apache-2.0
// Too few cuda::barriers of the user's.
// expect: tilepipe::interop::bind(barriers): a ring takes one cuda::barrier for each part of each
//   stage, Stages * Parts of them
#include <tilepipe/interop/libcudacxx.cuh>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BARRIERS 2
#else
#define BARRIERS 1
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  __shared__ cuda::barrier<cuda::thread_scope_block> barriers[BARRIERS];
  if (threadIdx.x == 0)
    for (auto& barrier : barriers) init(&barrier, blockDim.x);
  __syncthreads();
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::libcudacxx>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<>{}, tilepipe::interop::bind(barriers), load};
}
