// SPDX-License-Identifier: Apache-2.0
// A thread's part of the product of two fp32 tiles, on the FMA units.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace support {

// A tile of fp32 whose columns lie one behind the other: element (row + 1, col) follows (row, col).
// A column is 16 bytes longer than its elements, so that the columns of a row are spread over the
// banks when they are written.
struct Transposed {
  static constexpr int granule = 4;  // bytes that stay together: one element
  static constexpr bool rows_contiguous = false;
  static constexpr int row_period = 1;  // each row is a pitch behind the one before
  static TILEPIPE_HD constexpr int alignment(int) { return 128; }
  static TILEPIPE_HD constexpr int pitch(int) { return 4; }
  static TILEPIPE_HD constexpr int column(int rows) { return rows * 4 + 16; }
  static TILEPIPE_HD constexpr int bytes(int rows, int row_bytes) {
    return row_bytes / 4 * column(rows);
  }
  static TILEPIPE_HD constexpr int offset(int row, int byte, int rows, int /*row_bytes*/) {
    return byte / 4 * column(rows) + row * 4 + byte % 4;
  }
};

// 8 x 16 sums of A * B: twice four rows, and four columns of every 16, of the 64 x 64 that a warp
// has, one of A's and B's 128 x 128. A is a transposed tile, B a tile of rows along N: a thread
// then reads four neighbours of both at once, for one term of its sums. (Four of a row of A, for
// four terms, would be registers of which each term has those of one bank.)
template <class A, class B>
class ThreadProduct {
  static_assert(A::rows == 128 && B::cols == 128 && A::cols == B::rows && A::cols % 4 == 0 &&
                    tilepipe::is_same<typename A::Layout, Transposed>,
                "support::ThreadProduct<A, B>: A is 128 x K and Transposed, B is Tile<float, K, "
                "128>, K a multiple of 4");
  static constexpr int rows = 8, cols = 16;

 public:
  static constexpr int threads = 128;
  static constexpr int steps = A::cols;  // of a term

  __device__ __forceinline__ explicit ThreadProduct(int rank)
      : row_(rank / 64 * 64 + rank % 32 / 4 * 4), col_(rank / 32 % 2 * 64 + rank % 4 * 4) {}

  // What term k needs.
  __device__ __forceinline__ void fetch(const A& a, const B& b, int k) {
#pragma unroll
    for (int i = 0; i < rows; i += 4) four(a_[k % 2], i) = a.template as<float4>(row_ + 8 * i, k);
#pragma unroll
    for (int j = 0; j < cols; j += 4) four(b_[k % 2], j) = b.template as<float4>(k, col_ + 4 * j);
  }
  // Adds term k, which was fetched: to and fro along the rows, so that each product shares a factor
  // with the one before.
  __device__ __forceinline__ void multiply(int k) {
#pragma unroll
    for (int j = 0; j < cols; ++j)
#pragma unroll
      for (int n = 0; n < rows; ++n) {
        const int i = j % 2 == 0 ? n : rows - 1 - n;
        sum_[i][j] = fmaf(a_[k % 2][i], b_[k % 2][j], sum_[i][j]);
      }
  }

  // f(row, col, four) for each four neighbours in a row; the sums become zero.
  template <class F>
  __device__ __forceinline__ void take(F&& f) {
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = 0; j < cols; j += 4) {
        f(row_ + i / 4 * 32 + i % 4, col_ + 4 * j, four(sum_[i], j));
        four(sum_[i], j) = {};
      }
  }

 private:
  template <int N>
  static __device__ __forceinline__ float4& four(float (&values)[N], int first) {
    return reinterpret_cast<float4&>(values[first]);
  }

  int row_, col_;  // the thread's first
  alignas(16) float a_[2][rows], b_[2][cols], sum_[rows][cols] = {};
};

// The first `count` of four neighbours: at once where there are four, aligned to 16 bytes, which
// Exact promises; else one by one.
template <bool Exact>
__device__ __forceinline__ void store_first(float* to, float4 four, int count) {
  if (Exact || (count >= 4 && reinterpret_cast<unsigned long long>(to) % 16 == 0)) {
    *reinterpret_cast<float4*>(to) = four;
    return;
  }
  const float each[] = {four.x, four.y, four.z, four.w};
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (i < count) to[i] = each[i];
}

}  // namespace support
