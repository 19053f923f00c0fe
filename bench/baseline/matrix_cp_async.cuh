// SPDX-License-Identifier: Apache-2.0
// A 2-D transform by hand: tiles of a pitched matrix by cp.async, zeros beyond its edges.
#pragma once

#include "arithmetic.cuh"
#include "instructions.cuh"

namespace baseline {

struct Matrix {
  int rows;
  int cols;
  long long pitch;  // elements
};

// The thread's vectors of a tile: the source size says how many bytes lie inside; an address is
// formed only from coordinates inside.
template <int Rows, int Cols, int Threads>
__device__ __forceinline__ void issue_matrix_tile(float (*tile)[Cols], const float* in,
                                                  const Matrix& m, int row, int col, int rank) {
  constexpr int per_row = Cols / 4;
  static_assert(Rows * per_row % Threads == 0, "whole vectors");
#pragma unroll
  for (int j = 0; j < Rows * per_row / Threads; ++j) {
    const int i = j * Threads + rank;
    const int r = i / per_row;
    const int c = i % per_row * 4;
    const int left = row + r < m.rows ? min(max(m.cols - (col + c), 0), 4) : 0;
    const float* from = left > 0 ? in + (row + r) * m.pitch + col + c : in;
    copy16_or_zero(&tile[r][c], from, left * 4);
  }
}

template <int W, int Rows, int Cols, int Threads>
__device__ __forceinline__ void transform_matrix_tile(const float (*tile)[Cols], float* out,
                                                      const Matrix& m, int row, int col, int rank) {
  constexpr int per_row = Cols / 4;
  static_assert(Rows * per_row % Threads == 0, "whole vectors");
#pragma unroll
  for (int j = 0; j < Rows * per_row / Threads; ++j) {
    const int i = j * Threads + rank;
    const int r = i / per_row;
    const int c = i % per_row * 4;
    if (row + r >= m.rows || col + c >= m.cols) continue;
    const float4 v = load4(&tile[r][c]);
    float* to = out + (row + r) * m.pitch + col + c;
    if (col + c + 4 <= m.cols) {
      store4<W>(to, v);
    } else {
      to[0] = work<W>(v.x);
      if (col + c + 1 < m.cols) to[1] = work<W>(v.y);
      if (col + c + 2 < m.cols) to[2] = work<W>(v.z);
    }
  }
}

// Tiles are numbered along the rows of the matrix; the cursor of the loads and that of the compute
// advance by the grid without dividing.
template <int W, int Rows, int Cols, int S, int Threads>
__global__ void __launch_bounds__(Threads) matrix_groups(const float* in, float* out, Matrix m) {
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto tile = reinterpret_cast<float(*)[Rows][Cols]>(baseline_smem);
  const int rank = static_cast<int>(threadIdx.x);
  const int across = (m.cols + Cols - 1) / Cols;
  const int mine = tiles_of_block((m.rows + Rows - 1) / Rows * across);
  const int row_step = static_cast<int>(gridDim.x) / across;
  const int col_step = static_cast<int>(gridDim.x) % across;
  struct Cursor {
    int row;
    int col;
  };
  Cursor load{static_cast<int>(blockIdx.x) / across, static_cast<int>(blockIdx.x) % across};
  Cursor use = load;
  const auto advance = [&](Cursor& c) {
    c.row += row_step;
    c.col += col_step;
    if (c.col >= across) {
      c.col -= across;
      ++c.row;
    }
  };
#pragma unroll
  for (int t = 0; t < S - 1; ++t) {
    if (t < mine)
      issue_matrix_tile<Rows, Cols, Threads>(tile[t], in, m, load.row * Rows, load.col * Cols,
                                             rank);
    advance(load);
    commit_group();
  }
  int read = 0;
  int write = S - 1;
  for (int t = 0; t < mine; ++t) {
    wait_group<S - 2>();
    __syncthreads();
    if (t + S - 1 < mine)
      issue_matrix_tile<Rows, Cols, Threads>(tile[write], in, m, load.row * Rows, load.col * Cols,
                                             rank);
    advance(load);
    commit_group();
    if (++write == S) write = 0;
    transform_matrix_tile<W, Rows, Cols, Threads>(tile[read], out, m, use.row * Rows,
                                                  use.col * Cols, rank);
    advance(use);
    if (++read == S) read = 0;
  }
}

}  // namespace baseline
