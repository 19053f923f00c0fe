// SPDX-License-Identifier: Apache-2.0
// One asynchronous copy: start it, do other work, wait for it.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace example {

using RowTile = tilepipe::Tile<float, 256>;
struct RowStage {
  RowTile x;
};

// Work that needs no tile: the weight of an element.
__host__ __device__ inline float weight(int i) {
  float w = 1;
  for (int k = 0; k < 16; ++k) w = 0.5f * w + static_cast<float>(i % (k + 2));
  return w;
}

// Each block reverses 256 elements of `in` and weighs them. A block has 256 threads.
__global__ void reverse_and_weigh(const float* in, float* out) {
  __shared__ tilepipe::Ring<RowStage, 1> ring;
  tilepipe::TileLoader<RowTile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<256>{}, load};
  const long long begin = blockIdx.x * 256ll;

  RowStage& filling = pipe.producer_acquire();
  pipe.fill(load, filling.x, begin);  // returns at once
  pipe.producer_commit();

  const int i = pipe.rank();
  const float w = weight(i);  // while the copy is on its way

  const RowStage& filled = pipe.consumer_wait();  // every thread may read all of the tile
  out[begin + i] = w * filled.x[255 - i];
  pipe.consumer_release();
}

}  // namespace example
