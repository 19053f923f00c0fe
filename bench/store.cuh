// SPDX-License-Identifier: Apache-2.0
// The streaming transform with a ring of stores behind the ring of loads, and with plain stores.
#pragma once

#include <tilepipe/tile_storer.cuh>

#include "stream.cuh"

namespace bench {

template <int N, int Stages, int Slots>
struct StoreShared {
  tilepipe::Ring<StreamStage<N>, Stages> arriving;
  tilepipe::StoreRing<tilepipe::Tile<float, N>, Slots> leaving;
};

// As stream(), but a tile's results go to a slot, and from there to global memory in bulk.
template <int W, int N, int Stages, int Slots, class Team>
__global__ void __launch_bounds__(block_threads<Team>)
    stream_stored(const float* in, float* out, int tiles) {
  using Tile = tilepipe::Tile<float, N>;
  extern __shared__ __align__(128) unsigned char bench_smem[];
  auto& shared = *reinterpret_cast<StoreShared<N, Stages, Slots>*>(bench_smem);
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::TileStorer<Tile> store{out};
  tilepipe::Pipeline pipe{shared.arriving, Team{}, load};
  tilepipe::StorePipeline stores{shared.leaving, Team{}, store};
  const auto at = [&](int t) { return baseline::start_of_tile<N>(t); };
  pipe.run(
      baseline::tiles_of_block(tiles),
      [&](StreamStage<N>& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const StreamStage<N>& s, int t) {
        Tile& y = stores.acquire();
        transform<Order::compiler, W, Team>(pipe, s.x, &y[0]);
        stores.store(at(t));
      });
}

// As stream(), but the results are written over the tile, and stored in bulk from its stage.
template <int W, int N, int Stages, class Team>
__global__ void __launch_bounds__(block_threads<Team>)
    stream_stored_in_place(const float* in, float* out, int tiles) {
  using Tile = tilepipe::Tile<float, N>;
  using Stage = StreamStage<N>;
  extern __shared__ __align__(128) unsigned char bench_smem[];
  auto& ring = *reinterpret_cast<tilepipe::Ring<Stage, Stages>*>(bench_smem);
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::TileStorer<Tile> store{out};
  tilepipe::Pipeline pipe{ring, Team{}, load, store};
  const auto at = [&](int t) { return baseline::start_of_tile<N>(t); };
  pipe.run(
      baseline::tiles_of_block(tiles), [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](Stage& s, int t) {
        transform<Order::compiler, W, Team>(pipe, s.x, &s.x[0]);
        pipe.store_last(store, s.x, at(t));
      });
}

}  // namespace bench
