// SPDX-License-Identifier: Apache-2.0
// The README's kernel with W64 as its body, and nothing else changed.
#pragma once

#include <tilepipe/tilepipe.cuh>

#include "baseline/arithmetic.cuh"

namespace bench {

template <int Stages>
__global__ void readme_scale(const float* in, float* out, int tiles) {
  using Tile = tilepipe::Tile<float, 4096>;
  struct Stage {
    Tile x;
  };
  __shared__ tilepipe::Ring<Stage, Stages> ring;

  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, load};
  auto at = [&](int t) { return (blockIdx.x + 1ll * t * gridDim.x) * 4096; };
  pipe.run(
      tiles, [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) {
        pipe.transform(s.x, out + at(t), [](float v) { return baseline::work<64>(v); });
      });
}

}  // namespace bench
