// SPDX-License-Identifier: Apache-2.0
// Tensor Core products of bf16 tiles: the instructions ldmatrix and mma.sync, and a warp's part of
// a product.
#pragma once

#include <tilepipe/config.hpp>

namespace support {

// None of these clobbers memory, and mma is not volatile either: the compiler may move a read of a
// stage between the multiplications before it. Volatile keeps ldmatrix between the barriers, which
// are volatile and do clobber memory.

// Four matrices of 8 x 8 16-bit values: lane l passes the address of row l % 8 of matrix l / 8, 16
// bytes, and gets two neighbours of row l / 4 of each. By all lanes of a warp. PTX ISA, "Warp Level
// Matrix Instructions: ldmatrix"; sm_75.
__device__ __forceinline__ void ldmatrix_x4(unsigned& r0, unsigned& r1, unsigned& r2, unsigned& r3,
                                            const void* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(address));
}

// d += a * b for a 16 x 16 (row-major), b 16 x 8 (column-major), in the registers' order of
// mma.m16n8k16: rows l / 4 and l / 4 + 8, columns l % 4 * 2 and the next of d are lane l's. By all
// lanes of a warp. PTX ISA, "Warp Level Matrix Instructions: mma"; sm_80, below it does nothing.
__device__ __forceinline__ void mma_bf16([[maybe_unused]] float (&d)[4],
                                         [[maybe_unused]] const unsigned (&a)[4],
                                         [[maybe_unused]] const unsigned (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

// The two bf16 of a register as floats.
__device__ __forceinline__ float2 floats_of_bf16(unsigned pair) {
  return {__uint_as_float(pair << 16), __uint_as_float(pair & 0xffff0000u)};
}

// A warp's part of A * B: Rows x Cols sums, and the fragments of two steps of 16 along K, of which
// one is fetched while the other is multiplied. A is a tile of rows, B one of columns, both along
// K.
template <class A, class B, int Rows, int Cols>
class WarpProduct {
  static_assert(A::cols == B::cols && A::cols % 32 == 0 && Rows % 16 == 0 && Cols % 16 == 0,
                "support::WarpProduct<A, B, Rows, Cols>: whole fragments, in pairs");
  static constexpr int rows = Rows / 16, cols = Cols / 8;
  static constexpr bool tensor_cores = tilepipe::this_arch == 0 || tilepipe::this_arch >= 80;

 public:
  static constexpr int steps = A::cols / 16;

  // row, col: of the part, within the tiles.
  __device__ __forceinline__ WarpProduct(int row, int col, int lane)
      : row_(row + lane / 4), col_(col + lane % 4 * 2) {
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      a_at_[s] = A::byte_offset(row + lane % 16, s * 16 + lane / 16 * 8);
      b_at_[s] = B::byte_offset(col + lane / 16 * 8 + lane % 8, s * 16 + lane / 8 % 2 * 8);
    }
  }

  // The fragments of step s. The swizzle repeats every 8 rows, and so 16 rows are a constant away.
  __device__ __forceinline__ void fetch(const A& a, const B& b, int s) {
    if constexpr (!tensor_cores) {
      multiply_by_fma(a, b, s);
    } else {
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        unsigned(&r)[4] = a_[s % 2][i];
        ldmatrix_x4(r[0], r[1], r[2], r[3], a.storage + a_at_[s] + i * A::byte_offset(16, 0));
      }
#pragma unroll
      for (int j = 0; j < cols; j += 2) {
        unsigned(&r)[2] = b_[s % 2][j], (&next)[2] = b_[s % 2][j + 1];
        ldmatrix_x4(r[0], r[1], next[0], next[1],
                    b.storage + b_at_[s] + j / 2 * B::byte_offset(16, 0));
      }
    }
  }

  // To and fro, so that each product shares a fragment with the one before.
  __device__ __forceinline__ void multiply(int s) {
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = 0; j < cols; ++j) {
        const int column = i % 2 == 0 ? j : cols - 1 - j;
        mma_bf16(sum_[i][column], a_[s % 2][i], b_[s % 2][column]);
      }
  }

  // f(row, col, x, y) for each two neighbours in a row of the product that the lane holds.
  template <class F>
  __device__ __forceinline__ void for_each_pair(F&& f) const {
#pragma unroll
    for (int i = 0; i < 2 * rows; ++i)
#pragma unroll
      for (int j = 0; j < cols; ++j)
        f(row_ + i * 8, col_ + j * 8, sum_[i / 2][j][i % 2 * 2], sum_[i / 2][j][i % 2 * 2 + 1]);
  }

 private:
  __device__ __forceinline__ void multiply_by_fma(const A& a, const B& b, int s) {
#pragma unroll 1
    for (int k = s * 16; k < s * 16 + 16; k += 2) {
      float2 column[2 * cols];
#pragma unroll
      for (int j = 0; j < 2 * cols; ++j)
        column[j] = floats_of_bf16(b.template as<unsigned>(col_ + j / 2 * 8 + j % 2, k));
#pragma unroll
      for (int i = 0; i < 2 * rows; ++i) {
        const float2 row = floats_of_bf16(a.template as<unsigned>(row_ + i * 8, k));
#pragma unroll
        for (int j = 0; j < 2 * cols; ++j) {
          float& sum = sum_[i / 2][j / 2][i % 2 * 2 + j % 2];
          sum = fmaf(row.x, column[j].x, sum);
          sum = fmaf(row.y, column[j].y, sum);
        }
      }
    }
  }

  int row_, col_;  // of the lane's first sum
  int a_at_[steps], b_at_[steps];
  unsigned a_[2][rows][4], b_[2][cols][2];
  float sum_[rows][cols][4] = {};
};

}  // namespace support
