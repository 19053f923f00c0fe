// SPDX-License-Identifier: Apache-2.0
// A thread's part of the product of two fp32 tiles, on the FMA units.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace support {

// 8 x 16 sums of A * B: rows 8 apart, and four columns of every 16 of the 64 x 64 that a warp has,
// one of A's and B's 128 x 128. A is a swizzled tile of rows along K; it needs no transpose: a
// thread reads four neighbours along K at once, and the swizzle keeps the eight rows that a warp
// reads together in different banks. B is a tile of rows along N.
template <class A, class B>
class ThreadProduct {
  static_assert(A::rows == 128 && B::cols == 128 && A::cols == B::rows && A::cols % 8 == 0 &&
                    tilepipe::swizzle_width<typename A::Layout> == A::row_bytes,
                "support::ThreadProduct<A, B>: A is SwizzledTile<float, 128, K>, a row one width "
                "of the swizzle, B is Tile<float, K, 128>, K a multiple of 8");
  static constexpr int rows = 8, fours = 4;

 public:
  static constexpr int threads = 128;
  static constexpr int steps = A::cols / 4;  // of four terms

  __device__ __forceinline__ explicit ThreadProduct(int rank)
      : row_(rank / 64 * 64 + rank % 32 / 4), col_(rank / 32 % 2 * 64 + rank % 4 * 4) {}

  // The four terms of step s of A, and the first of B.
  __device__ __forceinline__ void fetch(const A& a, const B& b, int s) {
    // A step of 16 bytes is an exclusive or away in a row, eight rows are a constant away.
    const unsigned char* at = a.storage + (A::byte_offset(row_, 0) ^ s * 16);
#pragma unroll
    for (int i = 0; i < rows; ++i)
      a_[s % 2][i] = *reinterpret_cast<const float4*>(at + i * A::byte_offset(8, 0));
    fetch(b, 4 * s);
  }
  // Step s, which was fetched, but for the last of its terms: to be called when the next step has
  // been fetched.
  __device__ __forceinline__ void multiply(const B& b, int s) {
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      fetch(b, 4 * s + k + 1);
      add(s, k);
    }
  }
  __device__ __forceinline__ void multiply_last(int s) { add(s, 3); }

  // f(row, col, four) for each four neighbours in a row; the sums become zero.
  template <class F>
  __device__ __forceinline__ void take(F&& f) {
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = 0; j < fours; ++j) {
        f(row_ + 8 * i, col_ + 16 * j, sum_[i][j]);
        sum_[i][j] = {};
      }
  }

 private:
  __device__ __forceinline__ void fetch(const B& b, int k) {
#pragma unroll
    for (int j = 0; j < fours; ++j) b_[k % 2][j] = b.template as<float4>(k, col_ + 16 * j);
  }
  __device__ __forceinline__ void add(int s, int k) {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const float4 four = a_[s % 2][i];
      const float x = k == 0 ? four.x : k == 1 ? four.y : k == 2 ? four.z : four.w;
#pragma unroll
      for (int j = 0; j < fours; ++j) {
        const float4 y = b_[k % 2][j];
        float4& sum = sum_[i][j];
        sum = {fmaf(x, y.x, sum.x), fmaf(x, y.y, sum.y), fmaf(x, y.z, sum.z), fmaf(x, y.w, sum.w)};
      }
    }
  }

  int row_, col_;  // the thread's first
  float4 a_[2][rows], b_[2][fours], sum_[rows][fours] = {};
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
