// SPDX-License-Identifier: Apache-2.0
// A kernel that stages tiles, and the program around it, which launches nothing.
#include <tilepipe/tilepipe.cuh>

__global__ void scale(const float* in, float* out, int tiles) {
  using Tile = tilepipe::Tile<float, 1024>;
  struct Stage {
    Tile x;
  };
  __shared__ tilepipe::Ring<Stage, 2> ring;

  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, load};
  pipe.run(
      tiles, [&](Stage& s, int t) { pipe.fill(load, s.x, t * 1024ll); },
      [&](const Stage& s, int t) {
        pipe.for_each(s.x, [&](int i, float v) { out[t * 1024ll + i] = 2 * v; });
      });
}

int main() { return 0; }
