// SPDX-License-Identifier: Apache-2.0
// Attention of a few queries by one warp, 16 keys at a time, on Tensor Cores: products of fp16,
// sums, scores and the softmax in fp32.
#pragma once

#include <cuda_fp16.h>

#include "mma.cuh"

namespace support {

// The same as ldmatrix_x4 with each matrix transposed: a lane gets two neighbours of column l / 4.
__device__ __forceinline__ void ldmatrix_x4_trans(unsigned (&r)[4], const void* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

// An 8 x 8 matrix of 16-bit values, transposed: lane l has two neighbours of row l / 4 of both. By
// all lanes of a warp. PTX ISA, "Warp Level Matrix Instructions: movmatrix"; sm_75.
__device__ __forceinline__ unsigned transposed(unsigned pair) {
  unsigned to;
  asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(to) : "r"(pair));
  return to;
}

// d += a * b for a 16 x 16 (row-major) and b 16 x 8 (column-major), fp16, in the registers' order
// of mma.m16n8k16; below sm_80 by two steps of 8. By all lanes of a warp.
__device__ __forceinline__ void mma_fp16(float (&d)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
#pragma unroll
  for (int half = 0; half < 2; ++half)
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[half * 2]), "r"(a[half * 2 + 1]), "r"(b[half]));
#endif
}

// Up to 8 queries, those that share their keys, against the keys that a warp has seen so far. Keys
// and values are rows of a tile; a product has 16 keys or 16 columns by 8 queries. Lane l holds
// keys or columns l / 4 and l / 4 + 8 of it, for queries l % 4 * 2 and the next.
template <class Tile>
class WarpAttention {
  static constexpr int columns = Tile::cols, steps = columns / 16;
  static_assert(sizeof(typename Tile::value_type) == 2 && columns % 16 == 0,
                "support::WarpAttention<Tile>: rows of fp16, a multiple of 16 of them");

 public:
  static constexpr int keys = 16;
  static constexpr int most_queries = 8;

  // query: `count` rows of Tile::cols values, side by side. Scores are multiplied by `scale`, and
  // are exponents of 2.
  __device__ __forceinline__ WarpAttention(const __half* query, int count, float scale)
      : scale_(scale) {
    const int q = lane() / 4;
#pragma unroll
    for (int s = 0; s < steps; ++s)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        query_[s][half] = q < count ? *reinterpret_cast<const unsigned*>(
                                          query + q * columns + s * 16 + half * 8 + lane() % 4 * 2)
                                    : 0u;
  }

  // The weights of keys row .. row + 15 of the tile, of which the first `present` exist. The bytes
  // of those that do not may be anything.
  __device__ __forceinline__ void score(const Tile& key, int row, int present) {
    float even[4] = {}, odd[4] = {};  // two chains of sums
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      unsigned a[4];
      ldmatrix_x4(a[0], a[1], a[2], a[3],
                  key.storage + Tile::byte_offset(row + lane() % 16, s * 16 + lane() / 16 * 8));
      mma_fp16(s % 2 == 0 ? even : odd, a, query_[s]);
    }
    const bool here[2] = {lane() / 4 < present, lane() / 4 + 8 < present};
    float weight[4], shrink[2];
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      float high = top_[q];
#pragma unroll
      for (int i = q; i < 4; i += 2) {
        weight[i] = here[i / 2] ? (even[i] + odd[i]) * scale_ : lowest;
        high = fmaxf(high, weight[i]);
      }
      for (int distance = 4; distance < 32; distance *= 2)
        high = fmaxf(high, __shfl_xor_sync(0xffffffffu, high, distance));
      shrink[q] = exp2f(top_[q] - high);
      top_[q] = high;
      total_[q] *= shrink[q];
#pragma unroll
      for (int i = q; i < 4; i += 2) {
        weight[i] = here[i / 2] ? exp2f(weight[i] - high) : 0.0f;
        total_[q] += weight[i];
      }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const __half2 pair = __floats2half2_rn(weight[half * 2], weight[half * 2 + 1]);
      weight_[half] = transposed(reinterpret_cast<const unsigned&>(pair));
    }
#pragma unroll
    for (int s = 0; s < steps; ++s)
#pragma unroll
      for (int i = 0; i < 4; ++i) sum_[s][i] *= shrink[i % 2];
  }

  // The values of the same keys, multiplied by the weights. Where there is no key they must be
  // finite.
  __device__ __forceinline__ void add(const Tile& value, int row) {
#pragma unroll
    for (int s = 0; s < steps; ++s) {
      unsigned a[4];
      ldmatrix_x4_trans(a, value.storage + Tile::byte_offset(row + lane() / 16 * 8 + lane() % 8,
                                                             s * 16 + lane() / 8 % 2 * 8));
      mma_fp16(sum_[s], a, weight_);
    }
  }

  // f(query, column, sum) for each sum that the lane holds, and g(query, top, total) once for each
  // query: sums and total are to be multiplied by 2^top.
  template <class F, class G>
  __device__ __forceinline__ void take(F&& f, G&& g) {
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      const int query = lane() % 4 * 2 + q;
      for (int distance = 4; distance < 32; distance *= 2)
        total_[q] += __shfl_xor_sync(0xffffffffu, total_[q], distance);
      if (lane() / 4 == 0) g(query, top_[q], total_[q]);
#pragma unroll
      for (int s = 0; s < steps; ++s)
#pragma unroll
        for (int half = 0; half < 2; ++half)
          f(query, s * 16 + half * 8 + lane() / 4, sum_[s][half * 2 + q]);
    }
  }

 private:
  static constexpr float lowest = -3.4e38f;  // finite, so that differences are numbers
  static __device__ __forceinline__ int lane() { return static_cast<int>(threadIdx.x % 32); }

  float scale_;
  unsigned query_[steps][2];
  unsigned weight_[2];
  float top_[2] = {lowest, lowest}, total_[2] = {};
  float sum_[steps][4] = {};
};

// What the warps of a block found out, where they can all read it.
template <class Attention, int Warps, int Columns>
struct WarpResults {
  static constexpr int queries = Attention::most_queries;
  float sum[Warps][queries][Columns + 4];  // padded, so that lanes write to different banks
  float top[Warps][queries];
  float total[Warps][queries];
  bool last;  // for last_block()

  __device__ __forceinline__ void put(Attention& attention, int warp) {
    attention.take([&](int query, int col, float value) { sum[warp][query][col] = value; },
                   [&](int query, float high, float all) {
                     top[warp][query] = high;
                     total[warp][query] = all;
                   });
  }
};

// Whether the block is the last of `blocks` that call this with the same counter, a zero that is a
// zero again afterwards; it then sees what the others wrote before. By all threads of the block;
// `last` is in shared memory.
__device__ __forceinline__ bool last_block(unsigned* counter, int blocks, bool& last) {
  const unsigned most = static_cast<unsigned>(blocks) - 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(counter, most) == most;
  __syncthreads();
  __threadfence();
  return last;
}

// Four neighbours of the results of parts of the keys, as one. top(i), total(i), sum(i): of part i;
// sums and total are to be multiplied by 2^top. By each thread for itself.
struct Merged {
  float4 result;    // sum / total; zeros where there were no keys
  float log_total;  // of the total, to base 2
};
template <class Top, class Total, class Sum>
__device__ __forceinline__ Merged merge(int parts, Top top, Total total, Sum sum) {
  float high = top(0), all = 0;
  float4 r = {};
#pragma unroll 8  // so that loads are under way together
  for (int i = 0; i < parts; ++i) {
    const float top_i = top(i), total_i = total(i);
    const float4 sum_i = sum(i);
    const float higher = fmaxf(high, top_i);
    const float old = exp2f(high - higher), weight = exp2f(top_i - higher);
    high = higher;
    all = all * old + total_i * weight;
    r = {r.x * old + sum_i.x * weight, r.y * old + sum_i.y * weight, r.z * old + sum_i.z * weight,
         r.w * old + sum_i.w * weight};
  }
  const float by = all > 0 ? 1 / all : 0.0f;
  return {{r.x * by, r.y * by, r.z * by, r.w * by}, high + log2f(all)};
}
__device__ __forceinline__ void store_fp16(__half* to, float4 v) {
  const __half2 pairs[] = {__floats2half2_rn(v.x, v.y), __floats2half2_rn(v.z, v.w)};
  *reinterpret_cast<uint2*>(to) = reinterpret_cast<const uint2&>(pairs);
}

}  // namespace support
