// SPDX-License-Identifier: Apache-2.0
// Softmax and RMS norm of the rows of a bf16 matrix, on one skeleton: rows arrive by a ring of
// loads, results leave by a ring of stores.
#pragma once

#include <tilepipe/tile_storer.cuh>
#include <tilepipe/tilepipe.cuh>

#include "support/row.cuh"

namespace example {

struct RowMatrices {
  const __nv_bfloat16* in;
  const __nv_bfloat16* weight;  // cols elements, 16-byte aligned; of RMS norm
  __nv_bfloat16* out;
  long long rows;
  int cols;  // at most the kernel's Capacity
  long long in_pitch, out_pitch;
  float epsilon;  // of RMS norm
  int rows_per_block;
};

// Shared memory for rows of up to Capacity elements: capacity is compile-time, length is not.
template <int Capacity>
using RowTile = tilepipe::Tile<__nv_bfloat16, 1, Capacity>;
template <int Capacity>
struct RowStage {
  RowTile<Capacity> x;
};
template <int Capacity, int Stages, int Slots>
struct RowShared {
  tilepipe::Ring<RowStage<Capacity>, Stages> arriving;
  tilepipe::StoreRing<RowTile<Capacity>, Slots> leaving;
  float words[2][32];  // for reductions
};

// A row, kept in registers, and the place of its result. Each thread of the block has eight
// neighbours, and eight again a block's width on.
template <int Threads, class Tile>
struct Row {
  static constexpr int vectors = Tile::cols / 8 / Threads;  // of a thread
  Tile& y;
  const RowMatrices& m;
  float (*words)[32];
  float v[vectors][8];

  // Elements behind the row's end are `outside`.
  __device__ void read(const Tile& x, float outside) {
    each([&](int i, float(&eight)[8]) {
      support::unpack(x.template as<support::EightBf16>(0, i), eight);
      if (i + 8 > m.cols) {
#pragma unroll
        for (int k = 0; k < 8; ++k) eight[k] = i + k < m.cols ? eight[k] : outside;
      }
    });
  }
  // f(i, values) for elements i to i + 7.
  template <class F>
  __device__ void each(F&& f) {
#pragma unroll
    for (int j = 0; j < vectors; ++j) f((j * Threads + static_cast<int>(threadIdx.x)) * 8, v[j]);
  }
  __device__ void write(int i, const float (&eight)[8]) {
    y.template as<support::EightBf16>(0, i) = support::pack(eight);
  }
  __device__ void weights(int i, float (&w)[8]) const {
    if (i + 8 <= m.cols)
      return support::unpack(*reinterpret_cast<const support::EightBf16*>(m.weight + i), w);
#pragma unroll
    for (int k = 0; k < 8; ++k) w[k] = i + k < m.cols ? __bfloat162float(m.weight[i + k]) : 0;
  }
};

// y = exp(x - max) / sum.
struct Softmax {
  static constexpr float outside = support::Maximum::none;
  template <int Threads, class Tile>
  __device__ static void apply(Row<Threads, Tile>& row) {
    constexpr float log2_e = 1.4426950408889634f;
    float top = outside, sum = 0;
    row.each([&](int, float(&v)[8]) {
      for (const float x : v) top = fmaxf(top, x);
    });
    top = log2_e * support::reduce_block<Threads>(top, row.words[0], support::Maximum{});
    row.each([&](int, float(&v)[8]) {
      for (float& x : v) sum += x = exp2f(x * log2_e - top);
    });
    const float scale = 1 / support::reduce_block<Threads>(sum, row.words[1], support::Sum{});
    row.each([&](int i, float(&v)[8]) {
      for (float& x : v) x *= scale;
      row.write(i, v);
    });
  }
};

// y = x * weight / sqrt(mean of x^2 + epsilon).
struct RmsNorm {
  static constexpr float outside = 0;
  template <int Threads, class Tile>
  __device__ static void apply(Row<Threads, Tile>& row) {
    float sum = 0;
    row.each([&](int, float(&v)[8]) {
      for (const float x : v) sum += x * x;
    });
    sum = support::reduce_block<Threads>(sum, row.words[0], support::Sum{});
    const float scale = rsqrtf(sum / static_cast<float>(row.m.cols) + row.m.epsilon);
    row.each([&](int i, float(&v)[8]) {
      float w[8];
      row.weights(i, w);
#pragma unroll
      for (int k = 0; k < 8; ++k) v[k] *= scale * w[k];
      row.write(i, v);
    });
  }
};

// Blocks of Threads threads, each for a few rows that follow each other: enough for loads, stores
// and arithmetic to overlap, and few enough for the grid to walk through memory in order. Skip
// leaves out what a row does not have, of loads and of stores. Alignment: Aligned<16> where rows
// begin at multiples of 16 bytes, else AnyAlignment.
template <class Norm, int Capacity, int Threads, int Stages, int Slots, class Alignment>
__global__ void __launch_bounds__(Threads) normalize_rows(RowMatrices m) {
  using namespace tilepipe;
  using Tile = RowTile<Capacity>;
  using Stage = RowStage<Capacity>;
  constexpr bool in_bulk = this_arch >= 90 && is_same<Alignment, Aligned<16>>;
  extern __shared__ __align__(128) unsigned char row_smem[];
  auto& shared = *reinterpret_cast<RowShared<Capacity, Stages, Slots>*>(row_smem);

  // Rows of any length are cut tiles, which travel in bulk where that is demanded.
  TileLoader<Tile, Skip, Alignment, Via<in_bulk ? Path::bulk : Path::automatic>> load{
      m.in, m.rows, m.cols, m.in_pitch};
  TileStorer<Tile, Skip, Alignment> store{m.out, m.rows, m.cols, m.out_pitch};
  Pipeline pipe{shared.arriving, Block<Threads>{}, load};
  StorePipeline stores{shared.leaving, Block<Threads>{}, store};

  const long long first = 1ll * blockIdx.x * m.rows_per_block;
  pipe.run(
      static_cast<int>(min(m.rows - first, 1ll * m.rows_per_block)),
      [&](Stage& s, int t) { pipe.fill(load, s.x, first + t, 0); },
      [&](const Stage& s, int t) {
        Row<Threads, Tile> row{stores.acquire(), m, shared.words, {}};
        row.read(s.x, Norm::outside);
        Norm::apply(row);
        stores.store(first + t, 0);
      });
}

}  // namespace example
