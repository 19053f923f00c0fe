// SPDX-License-Identifier: Apache-2.0
// Registers demanded of a target without setmaxnreg.
// expect: tilepipe::DemandRegisters<Loading, Computing>: setmaxnreg needs a target such as
//   sm_90a or sm_100f; compile for one, or use SplitRegisters, which leaves it out elsewhere
// arch: 90
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define POLICY SplitRegisters
#else
#define POLICY DemandRegisters
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void __launch_bounds__(384) kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<128, 256>{}, tilepipe::POLICY<40, 232>{},
                          load};
}
