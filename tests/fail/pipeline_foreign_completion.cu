// SPDX-License-Identifier: Apache-2.0
// The completion of another library without its copies.
// expect: tilepipe::Pipeline{..., CompleteBy<Completion::foreign>{}, ...}: foreign completion
//   goes with Via<Path::libcudacxx>, and only with it; leave the completion out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COMPLETION automatic
#else
#define COMPLETION foreign
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<>{},
                          tilepipe::CompleteBy<tilepipe::Completion::COMPLETION>{}, load};
}
