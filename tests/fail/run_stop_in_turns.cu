// SPDX-License-Identifier: Apache-2.0
// A run that may stop, where tiles go to groups in turns.
// expect: tilepipe::Pipeline::run: compute may not return tilepipe::stop where groups take turns,
//   since the others would not know; let it return nothing
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define TEAM SpecializedGroups
#else
#define TEAM SpecializedTurns
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in, int tiles) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::TEAM<32, 64, 2>{}, load};
  pipe.run(
      tiles, [&](Stage& s, int t) { pipe.fill(load, s.x, 1024ll * t); },
      [](const Stage& s, int) { return s.x[0] < 0 ? tilepipe::stop : tilepipe::go; });
}
