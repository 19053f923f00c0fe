// SPDX-License-Identifier: Apache-2.0
// A cuda::pipeline of the user's with more stages than the ring.
// expect: tilepipe::interop::bind(pipeline, state): pipeline_shared_state and Ring must have the
//   same number of stages
#include <cooperative_groups.h>
#include <tilepipe/interop/libcudacxx.cuh>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define STAGES 2
#else
#define STAGES 3
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto user = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::libcudacxx>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<>{}, tilepipe::interop::bind(user, state), load};
}
