// SPDX-License-Identifier: Apache-2.0
// The handshake alone, written with tilepipe: 16 bytes a computing thread and tile, empty compute.
#pragma once

#include "stream.cuh"

namespace bench {

template <int N>
struct HandshakeStage {
  tilepipe::Tile<float, N> x;
};

// Blocks start 32 tiles apart and read overlapping ranges, so that the source stays in L2. At the
// end the last tile goes out, which shows that it arrived.
template <int Stages, int Threads, class Team, class Policy, class... How>
__global__ void __launch_bounds__(block_threads<Team>)
    handshake(const float* in, float* out, int tiles) {
  constexpr int n = Threads * 4;
  using Stage = HandshakeStage<n>;
  __shared__ tilepipe::Ring<Stage, Stages> ring;
  tilepipe::TileLoader<tilepipe::Tile<float, n>, How...> load{in};
  tilepipe::Pipeline pipe{ring, Team{}, Policy{}, load};
  pipe.run(
      tiles,
      [&](Stage& s, int t) {
        pipe.fill(load, s.x, (static_cast<long long>(blockIdx.x) * 32 + t) * n);
      },
      [](const Stage&, int) {});
  pipe.drain();
  const int rank = static_cast<int>(threadIdx.x);
  if (tiles > 0 && rank < Threads)
    reinterpret_cast<float4*>(out)[static_cast<long long>(blockIdx.x) * Threads + rank] =
        ring.stage[(tiles - 1) % Stages].x.template as<float4>(0, rank * 4);
}

}  // namespace bench
