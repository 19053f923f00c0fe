// SPDX-License-Identifier: Apache-2.0
// The reference loop: tiles of 16 KiB through 4 stages, doubled by float4s.
#pragma once

#include <tilepipe/observer.cuh>
#include <tilepipe/tilepipe.cuh>

using Tile = tilepipe::Tile<float, 4096>;
struct Stage {
  Tile x;
};

template <class Team, class Policy, class... Options>
__device__ void stream_float4(const float* in, float* out, int tiles) {
  extern __shared__ __align__(128) unsigned char memory[];
  auto& ring = *reinterpret_cast<tilepipe::Ring<Stage, 4>*>(memory);
  tilepipe::TileLoader<Tile, Options...> load{in};
  tilepipe::Pipeline pipe{ring, Team{}, Policy{}, load};
  const auto at = [&](int t) {
    return (blockIdx.x + static_cast<long long>(t) * gridDim.x) * Tile::size;
  };
  pipe.run(
      tiles, [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) {
        float* to = out + at(t);
#pragma unroll
        for (int i = pipe.rank() * 4; i < Tile::size; i += pipe.size() * 4) {
          const float4 v = s.x.as<float4>(0, i);
          *reinterpret_cast<float4*>(to + i) = float4{2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w};
        }
      });
}
