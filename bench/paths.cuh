// SPDX-License-Identifier: Apache-2.0
// Tiles that are only read, with tilepipe: as many as fit a ring, and one at a time.
#pragma once

#include <tilepipe/tilepipe.cuh>

#include "baseline/arithmetic.cuh"
#include "baseline/read.cuh"

namespace bench {

template <int Words>
struct WordStage {
  tilepipe::Tile<unsigned, Words> x;
};

// Each thread adds what it reads of the tiles of its block, and writes its sum.
template <int Words, int Stages, class Policy, class... How>
__global__ void __launch_bounds__(256) read_tiles(const unsigned* in, unsigned* sums, int tiles) {
  using Stage = WordStage<Words>;
  extern __shared__ __align__(128) unsigned char bench_smem[];
  auto& ring = *reinterpret_cast<tilepipe::Ring<Stage, Stages>*>(bench_smem);
  tilepipe::TileLoader<tilepipe::Tile<unsigned, Words>, How...> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<256>{}, Policy{}, load};
  unsigned sum = 0;
  pipe.run(
      baseline::tiles_of_block(tiles),
      [&](Stage& s, int t) { pipe.fill(load, s.x, baseline::start_of_tile<Words>(t)); },
      [&](const Stage& s, int) {
        pipe.template for_each<uint4>(s.x, [&](int, uint4 v) { sum += v.x + v.y + v.z + v.w; });
      });
  sums[blockIdx.x * 256 + threadIdx.x] = sum;
}

// out = W FMAs of in, the same code whatever way the tiles take.
template <int W, int Floats, class... How>
__global__ void __launch_bounds__(128) by_any_path(const float* in, float* out, int tiles) {
  struct Stage {
    tilepipe::Tile<float, Floats> x;
  };
  extern __shared__ __align__(128) unsigned char bench_smem[];
  auto& ring = *reinterpret_cast<tilepipe::Ring<Stage, 2>*>(bench_smem);
  tilepipe::TileLoader<tilepipe::Tile<float, Floats>, How...> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<128>{}, load};
  const auto at = [&](int t) { return baseline::start_of_tile<Floats>(t); };
  pipe.run(
      baseline::tiles_of_block(tiles), [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) {
        pipe.transform(s.x, out + at(t), [](float v) { return baseline::work<W>(v); });
      });
}

// baseline::chain_by_hand, through a ring of one stage.
template <class... How>
__global__ void chain(const unsigned* in, unsigned* last, int steps, unsigned mask) {
  using Tile = tilepipe::Tile<unsigned, 128>;
  using Stage = WordStage<128>;
  __shared__ tilepipe::Ring<Stage, 1> ring;
  tilepipe::TileLoader<Tile, How...> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Warp{}, load};
  unsigned now = 0;
  for (int i = 0; i < steps; ++i) {
    pipe.fill(load, pipe.producer_acquire().x,
              static_cast<long long>(baseline::tile_of(now, mask)) * 128);
    pipe.producer_commit();
    now = baseline::next_state(now, pipe.consumer_wait().x[0]);
    pipe.consumer_release();
  }
  pipe.drain();
  if (pipe.rank() == 0) *last = now;
}

}  // namespace bench
