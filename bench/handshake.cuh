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

// The same by tensor copies, a box a tile: 8 rows of a matrix of Threads / 2 columns.
template <int Threads>
using HandshakeBox = tilepipe::Tile<float, 8, Threads / 2>;
template <int Threads>
struct HandshakeBoxStage {
  HandshakeBox<Threads> x;
};

template <int Stages, int Threads>
__global__ void __launch_bounds__(Threads + 32)
    handshake_tensor(const __grid_constant__ tilepipe::TensorSource<HandshakeBox<Threads>> in,
                     float* out, int tiles) {
  using Stage = HandshakeBoxStage<Threads>;
  __shared__ tilepipe::Ring<Stage, Stages> ring;
  tilepipe::TileLoader<HandshakeBox<Threads>, tilepipe::Mapped> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<32, Threads>{}, load};
  pipe.run(
      tiles,
      [&](Stage& s, int t) {
        pipe.fill(load, s.x, (static_cast<int>(blockIdx.x) * 32 + t) * 8, 0);
      },
      [](const Stage&, int) {});
  pipe.drain();
  const int rank = static_cast<int>(threadIdx.x);
  if (tiles > 0 && rank < Threads)
    reinterpret_cast<float4*>(out)[static_cast<long long>(blockIdx.x) * Threads + rank] =
        *reinterpret_cast<const float4*>(&ring.stage[(tiles - 1) % Stages].x[rank * 4]);
}

}  // namespace bench
