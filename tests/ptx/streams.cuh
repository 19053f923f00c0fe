// SPDX-License-Identifier: Apache-2.0
// A kernel that streams tiles of 4 KiB through 4 stages, for tests of what it compiles to.
#pragma once

#include <tilepipe/observer.cuh>
#include <tilepipe/tilepipe.cuh>

using Vector = tilepipe::Tile<float, 1024>;
using Matrix = tilepipe::Tile<float, 16, 64>;
template <class Tile>
struct StageOf {
  Tile x;
};
template <tilepipe::Path P>
using Via = tilepipe::Via<P>;
inline constexpr auto registers = tilepipe::Path::registers;
inline constexpr auto cp_async = tilepipe::Path::cp_async;
inline constexpr auto bulk = tilepipe::Path::bulk;

template <int Stages, class Team, class Policy, class... Options>
__device__ void stream(const float* in, float* out, int tiles) {
  __shared__ tilepipe::Ring<StageOf<Vector>, Stages> ring;
  tilepipe::TileLoader<Vector, Options...> load{in};
  tilepipe::Pipeline pipe{ring, Team{}, Policy{}, load};
  pipe.run(
      tiles, [&](auto& s, int t) { pipe.fill(load, s.x, 1024ll * t); },
      [&](const auto& s, int t) {
        pipe.for_each(s.x, [&](int i, float v) { out[1024ll * t + i] = 2 * v; });
      });
}
