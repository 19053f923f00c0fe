// SPDX-License-Identifier: Apache-2.0
// A kernel of yours: each block reverses rows of 256 elements, two stages ahead.
#include <tilepipe/tilepipe.cuh>

extern "C" __global__ void reverse(const float* in, float* out, int rows) {
  using Row = tilepipe::Tile<float, 256>;
  struct Stage {
    Row x;
  };
  __shared__ tilepipe::Ring<Stage, 3> ring;
  tilepipe::TileLoader<Row> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<64>{}, load};
  pipe.run(
      rows, [&](Stage& s, int row) { pipe.fill(load, s.x, row * 256ll); },
      [&](const Stage& s, int row) {
        pipe.for_each(s.x, [&](int i, float v) { out[row * 256ll + 255 - i] = v; });
      });
}
