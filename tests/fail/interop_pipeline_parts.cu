// SPDX-License-Identifier: Apache-2.0
// A cuda::pipeline of the user's behind a ring whose stages have parts.
// expect: tilepipe::interop::bind(pipeline): a cuda::pipeline hands over whole stages; use a
//   Ring<Stage, Stages> of one part
#include <cooperative_groups.h>
#include <tilepipe/interop/libcudacxx.cuh>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PARTS 1
#else
#define PARTS 2
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2, PARTS> ring;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto user = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::libcudacxx>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<>{}, tilepipe::interop::bind(user, state), load};
}
