// SPDX-License-Identifier: Apache-2.0
// Two more streaming transforms with tilepipe: 2-D tiles with edges, and two tiles in slices.
#pragma once

#include <tilepipe/tilepipe.cuh>

#include "baseline/matrix_cp_async.cuh"

namespace bench {

using baseline::load4;
using baseline::store4;
using baseline::work;

template <int Rows, int Cols>
struct MatrixStage {
  tilepipe::Tile<float, Rows, Cols> x;
};

// The coordinates of a block's tiles, numbered along the rows of the matrix.
template <int Rows, int Cols>
struct Cursor {
  int across;
  int row;
  int col;
  __device__ __forceinline__ explicit Cursor(const baseline::Matrix& m)
      : across((m.cols + Cols - 1) / Cols),
        row(static_cast<int>(blockIdx.x) / across),
        col(static_cast<int>(blockIdx.x) % across) {}
  __device__ __forceinline__ void advance(int row_step, int col_step) {
    row += row_step;
    col += col_step;
    if (col >= across) {
      col -= across;
      ++row;
    }
  }
};

// Rows and columns beyond the matrix arrive as zeros; the stores keep inside it.
template <int W, int Rows, int Cols, int Stages, int Threads, class Policy, class... How>
__global__ void __launch_bounds__(Threads) matrix(const float* in, float* out, baseline::Matrix m) {
  using Stage = MatrixStage<Rows, Cols>;
  extern __shared__ __align__(128) unsigned char bench_smem[];
  auto& ring = *reinterpret_cast<tilepipe::Ring<Stage, Stages>*>(bench_smem);
  tilepipe::TileLoader<tilepipe::Tile<float, Rows, Cols>, tilepipe::ZeroFill, How...> load{
      in, m.rows, m.cols, m.pitch};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<Threads>{}, Policy{}, load};
  Cursor<Rows, Cols> next(m);
  Cursor<Rows, Cols> now = next;
  const int row_step = static_cast<int>(gridDim.x) / next.across;
  const int col_step = static_cast<int>(gridDim.x) % next.across;
  const int tiles = (m.rows + Rows - 1) / Rows * next.across;
  pipe.run(
      baseline::tiles_of_block(tiles),
      [&](Stage& s, int) {
        pipe.fill(load, s.x, next.row * Rows, next.col * Cols);
        next.advance(row_step, col_step);
      },
      [&](const Stage& s, int) {
        baseline::transform_matrix_tile<W, Rows, Cols, Threads>(
            reinterpret_cast<const float(*)[Cols]>(&s.x(0, 0)), out, m, now.row * Rows,
            now.col * Cols, pipe.rank());
        now.advance(row_step, col_step);
      });
}

template <int N>
struct PairStage {
  tilepipe::Tile<float, N> a;
  tilepipe::Tile<float, N> b;
};

// out = work(a) + b. The copies of the tile Stages - 1 ahead are issued a slice before each compute
// step of this one. A block has Stages - 1 tiles or more; the last ones, behind which nothing is
// left to load, have a loop of their own, so that the pipeline's counts are constants in the first.
template <int W, int N, int Stages, int Threads, class Policy, class... How>
__global__ void __launch_bounds__(Threads)
    sliced(const float* in_a, const float* in_b, float* out, int tiles) {
  using Stage = PairStage<N>;
  using Tile = tilepipe::Tile<float, N>;
  static_assert(N == Threads * 4 * 4, "four steps");
  extern __shared__ __align__(128) unsigned char bench_smem[];
  auto& ring = *reinterpret_cast<tilepipe::Ring<Stage, Stages>*>(bench_smem);
  tilepipe::TileLoader<Tile, How...> load_a{in_a};
  tilepipe::TileLoader<Tile, How...> load_b{in_b};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<Threads>{}, Policy{}, load_a, load_b};
  const int mine = baseline::tiles_of_block(tiles);
  const auto at = [&](int t) { return baseline::start_of_tile<N>(t); };
  const auto step = [&](const Stage& now, float* to, int k) {
    const int i = (k * Threads + pipe.rank()) * 4;
    const float4 a = now.a.template as<float4>(0, i);
    const float4 b = now.b.template as<float4>(0, i);
    *reinterpret_cast<float4*>(to + i) =
        make_float4(work<W>(a.x) + b.x, work<W>(a.y) + b.y, work<W>(a.z) + b.z, work<W>(a.w) + b.w);
  };
#pragma unroll
  for (int t = 0; t < Stages - 1; ++t) {
    Stage& s = pipe.producer_acquire();
    pipe.fill(load_a, s.a, at(t));
    pipe.fill(load_b, s.b, at(t));
    pipe.producer_commit();
  }
  int t = 0;
  for (; t + Stages - 1 < mine; ++t) {
    const Stage& now = pipe.consumer_wait();
    Stage& next = pipe.producer_acquire();
    const auto refill = [&](auto slice) {
      pipe.fill(slice, load_a, next.a, at(t + Stages - 1));
      pipe.fill(slice, load_b, next.b, at(t + Stages - 1));
    };
    refill(tilepipe::slice<0, 4>);
    step(now, out + at(t), 0);
    refill(tilepipe::slice<1, 4>);
    step(now, out + at(t), 1);
    refill(tilepipe::slice<2, 4>);
    step(now, out + at(t), 2);
    refill(tilepipe::slice<3, 4>);
    step(now, out + at(t), 3);
    pipe.producer_commit();
    pipe.consumer_release();
  }
  for (; t < mine; ++t) {
    const Stage& now = pipe.consumer_wait();
#pragma unroll
    for (int k = 0; k < 4; ++k) step(now, out + at(t), k);
    pipe.consumer_release();
  }
  pipe.drain();
}

}  // namespace bench
