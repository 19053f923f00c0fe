// SPDX-License-Identifier: Apache-2.0
// Tensor Core products of bf16 tiles: the instructions ldmatrix and mma.sync, a warp's part of a
// product, and how it is stored.
#pragma once

#include <cuda_bf16.h>

#include <tilepipe/tilepipe.cuh>

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

// The first `count` of eight neighbours, 16 bits each: at once where there are eight, aligned to 16
// bytes, which Exact promises; else one by one.
template <bool Exact, class T>
__device__ __forceinline__ void store_first(T* to, uint4 eight, int count) {
  static_assert(sizeof(T) == 2, "support::store_first<Exact>(to, eight, count): values of 16 bits");
  if (Exact || (count >= 8 && reinterpret_cast<unsigned long long>(to) % 16 == 0)) {
    *reinterpret_cast<uint4*>(to) = eight;
    return;
  }
  const unsigned pairs[] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (i < count)
      reinterpret_cast<unsigned short*>(to)[i] =
          static_cast<unsigned short>(pairs[i / 2] >> i % 2 * 16);
}

// A warp's part of A * B, where WarpsM x WarpsN warps share it out: rows x columns of sums, and the
// fragments of two steps of 16 along K, of which one is fetched while the other is multiplied. A is
// a tile of rows, B one of columns, both along K; their elements are bf16, or several neighbours
// each.
template <class A, class B, int WarpsM, int WarpsN>
class WarpProduct {
  static constexpr int part_rows = A::rows / WarpsM, part_cols = B::rows / WarpsN;
  static_assert(
      A::row_bytes == B::row_bytes && A::row_bytes % 64 == 0 && part_rows % 16 == 0 &&
          part_cols % 32 == 0,
      "support::WarpProduct<A, B, WarpsM, WarpsN>: whole fragments, two and four at a time");
  static_assert(tilepipe::swizzle_width<typename A::Layout> == A::row_bytes &&
                    tilepipe::swizzle_width<typename B::Layout> == B::row_bytes,
                "support::WarpProduct<A, B, WarpsM, WarpsN>: a row is one width of the swizzle");
  static constexpr int rows = part_rows / 16, cols = part_cols / 8;
  static constexpr bool tensor_cores = tilepipe::this_arch == 0 || tilepipe::this_arch >= 80;

 public:
  static constexpr int steps = A::row_bytes / 32;
  static constexpr int threads = WarpsM * WarpsN * 32;
  static constexpr int sums = rows * cols;  // of a thread, each four floats
  static constexpr int groups = sums / 4;   // of them, 16 rows each

  // rank: of the thread, among those of all warps.
  __device__ __forceinline__ explicit WarpProduct(int rank) {
    const int warp = rank / 32, lane = rank % 32;
    const int row = warp / WarpsN * part_rows, col = warp % WarpsN * part_cols;
    row_ = row + lane / 4;
    col_ = col;
    a_at_ = offset<A>(row + lane % 16, lane / 16 * 16);
    b_at_ = offset<B>(col + lane / 16 * 8 + lane % 8, lane / 8 % 2 * 16);
  }

  // The fragments of step s. The swizzle repeats every 8 rows, and so 16 rows are a constant away;
  // it exchanges 16 bytes within a row, and so a step of 32 bytes is an exclusive or away.
  __device__ __forceinline__ void fetch(const A& a, const B& b, int s) {
    const int a_at = a_at_ ^ s * 32, b_at = b_at_ ^ s * 32;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      unsigned(&r)[4] = a_[s % 2][i];
      ldmatrix_x4(r[0], r[1], r[2], r[3], a.storage + a_at + i * offset<A>(16, 0));
    }
#pragma unroll
    for (int j = 0; j < cols; j += 2) {
      unsigned(&r)[2] = b_[s % 2][j], (&next)[2] = b_[s % 2][j + 1];
      ldmatrix_x4(r[0], r[1], next[0], next[1], b.storage + b_at + j / 2 * offset<B>(16, 0));
    }
  }

  // To and fro, so that each product shares a fragment with the one before.
  __device__ __forceinline__ void multiply(int s) {
    if constexpr (tensor_cores) {
#pragma unroll
      for (int i = 0; i < rows; ++i)
#pragma unroll
        for (int j = 0; j < cols; ++j) {
          const int column = i % 2 == 0 ? j : cols - 1 - j;
          mma_bf16(sum_[i][column], a_[s % 2][i], b_[s % 2][column]);
        }
    } else {
      multiply_by_fma(s);
    }
  }

  // f(row, col, eight) for each eight neighbours in a row, as bf16, that the lane gets; the sums
  // become zero. By all lanes.
  template <class F>
  __device__ __forceinline__ void take(F&& f) {
#pragma unroll
    for (int n = 0; n < groups; ++n) give(n, &sum_[n / (cols / 4)][n % (cols / 4) * 4], f);
    clear();
  }
  // The thread's sums as they are, to[i * threads] for i < sums; they become zero.
  __device__ __forceinline__ void take_sums(float4* to) {
#pragma unroll
    for (int i = 0; i < sums; ++i) {
      const float(&sum)[4] = sum_[i / cols][i % cols];
      to[i * threads] = float4{sum[0], sum[1], sum[2], sum[3]};
    }
    clear();
  }
  // take's f for group n of the sums that were taken to from, from + pitch, ..., added in this
  // order. By all lanes.
  template <class F>
  __device__ __forceinline__ void add(const float4* from, int slices, long long pitch, int n,
                                      F&& f) const {
    constexpr int at_once = 8;  // slices that are on their way together
    float sum[4][4] = {};
    from += n * 4 * threads;
    for (int first = 0; first < slices; first += at_once, from += at_once * pitch) {
      float4 four[at_once * 4] = {};
#pragma unroll
      for (int i = 0; i < at_once * 4; ++i)
        if (first + i / 4 < slices) four[i] = from[i / 4 * pitch + i % 4 * threads];
#pragma unroll
      for (int i = 0; i < at_once * 4; ++i) {
        sum[i % 4][0] += four[i].x;
        sum[i % 4][1] += four[i].y;
        sum[i % 4][2] += four[i].z;
        sum[i % 4][3] += four[i].w;
      }
    }
    give(n, sum, f);
  }

 private:
  template <class Tile>
  static __device__ __forceinline__ constexpr int offset(int row, int byte) {
    return Tile::Layout::offset(row, byte, Tile::rows, Tile::row_bytes);
  }
  // The lanes that share a row exchange pairs, so that each has 16 bytes. Group n of the sums has
  // four neighbours in a row of them.
  template <class F>
  __device__ __forceinline__ void give(int n, const float (*sum)[4], F&& f) const {
    const int q = static_cast<int>(threadIdx.x % 4);
    const int row = row_ + n / (cols / 4) * 16, col = col_ + (n % (cols / 4) * 4 + q) * 8;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      unsigned pair[4];
#pragma unroll
      for (int p = 0; p < 4; ++p) {
        const __nv_bfloat162 both = __floats2bfloat162_rn(sum[p][half * 2], sum[p][half * 2 + 1]);
        pair[p] = reinterpret_cast<const unsigned&>(both);
      }
      exchange<1>(pair[0], pair[1], q);
      exchange<1>(pair[2], pair[3], q);
      exchange<2>(pair[0], pair[2], q);
      exchange<2>(pair[1], pair[3], q);
      f(row + half * 8, col, uint4{pair[0], pair[1], pair[2], pair[3]});
    }
  }
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int i = 0; i < sums * 4; ++i) sum_[i / 4 / cols][i / 4 % cols][i % 4] = 0;
  }
  // From the same fragments: two terms of each sum at a time, passed on by the lanes that hold
  // them.
  __device__ __forceinline__ void multiply_by_fma(int s) {
    const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll 1
      for (int source = 0; source < 4; ++source) {
        float2 y[2 * cols];
#pragma unroll
        for (int j = 0; j < 2 * cols; ++j)
          y[j] = floats_of(b_[s % 2][j / 2][half], (lane % 4 * 2 + j % 2) * 4 + source);
#pragma unroll
        for (int i = 0; i < 2 * rows; ++i) {
          const float2 x = floats_of(a_[s % 2][i / 2][half * 2 + i % 2], lane / 4 * 4 + source);
#pragma unroll
          for (int j = 0; j < 2 * cols; ++j) {
            float& sum = sum_[i / 2][j / 2][i % 2 * 2 + j % 2];
            sum = fmaf(x.y, y[j].y, fmaf(x.x, y[j].x, sum));
          }
        }
      }
  }
  // The two bf16 that another lane holds.
  static __device__ __forceinline__ float2 floats_of(unsigned pair, int lane) {
    pair = __shfl_sync(0xffffffffu, pair, lane);
    return {__uint_as_float(pair << 16), __uint_as_float(pair & 0xffff0000u)};
  }

  // Of a 2 x 2 matrix, spread over lanes whose numbers differ by Distance, the transpose.
  template <int Distance>
  static __device__ __forceinline__ void exchange(unsigned& x, unsigned& y, int lane) {
    const bool upper = (lane & Distance) != 0;
    const unsigned got = __shfl_xor_sync(0xffffffffu, upper ? x : y, Distance);
    (upper ? x : y) = got;
  }

  int row_;  // the lane's first
  int col_;  // of the part
  int a_at_, b_at_;
  unsigned a_[2][rows][4], b_[2][cols][2];
  float sum_[rows][cols][4] = {};
};

}  // namespace support
