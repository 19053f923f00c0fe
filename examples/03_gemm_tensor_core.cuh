// SPDX-License-Identifier: Apache-2.0
// C = A * B in bf16 with fp32 sums: A and C row-major, B column-major, so that both are read along
// K.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>
#include <tilepipe/tilepipe.cuh>

#include "support/device.hpp"
#include "support/mma.cuh"

namespace example {

using bf16 = __nv_bfloat16;

// Pitches in elements: from row to row of A and C, from column to column of B.
struct Gemm {
  const bf16* a;
  const bf16* b;
  bf16* c;
  int m, n, k;
  long long lda, ldb, ldc;
};

// A block computes M x N of C in steps of K, with Stages steps in shared memory, by WarpsM x WarpsN
// warps. Blocks: how many are meant to share a multiprocessor.
template <int M, int N, int K, int Stages, int WarpsM, int WarpsN, int Blocks = 1>
struct GemmShape {
  static constexpr int m = M, n = N, k = K, blocks = Blocks, threads = WarpsM * WarpsN * 32;
  static constexpr int ahead = (Stages - 1) * K;  // columns on the way to shared memory
  using TileA = tilepipe::SwizzledTile<bf16, M, K>;
  using TileB = tilepipe::SwizzledTile<bf16, N, K>;
  struct Stage {
    TileA a;
    TileB b;
  };
  using Ring = tilepipe::Ring<Stage, Stages>;
  using Product = support::WarpProduct<TileA, TileB, M / WarpsM, N / WarpsN>;
  static __device__ Product product(int rank) {
    const int warp = rank / 32;
    return {warp / WarpsN * (M / WarpsM), warp % WarpsN * (N / WarpsN), rank % 32};
  }
};

// Large wants 144 KiB of shared memory, Small 48 KiB.
using LargeShape = GemmShape<128, 256, 64, 3, 2, 4>;
using SmallShape = GemmShape<128, 128, 32, 3, 2, 4>;

// Step S and later ones of the stage at hand. Beside each multiplication come the fragments of the
// next step and, with Refill, a slice of the copies of the stage at column k. Before the last step
// the stage has been read, and gives way to the next one.
template <bool Refill, int S = 0, class Pipe, class A, class B, class Stage, class Product>
__device__ __forceinline__ void multiply_stage(Pipe& pipe, A& load_a, B& load_b, int row, int col,
                                               int k, bool last, const Stage*& stage,
                                               Product& product) {
  constexpr int last_step = Product::steps - 1;
  if constexpr (S < last_step) {
    product.fetch(stage->a, stage->b, S + 1);
    if constexpr (Refill) {
      Stage& ahead = pipe.producer_acquire();
      pipe.fill(tilepipe::slice<S, last_step>, load_a, ahead.a, row, k);
      pipe.fill(tilepipe::slice<S, last_step>, load_b, ahead.b, col, k);
    }
    product.multiply(S);
    multiply_stage<Refill, S + 1>(pipe, load_a, load_b, row, col, k, last, stage, product);
  } else {
    pipe.producer_commit();
    pipe.consumer_release();
    if (!last) {
      stage = &pipe.consumer_wait();
      product.fetch(stage->a, stage->b, 0);
    }
    product.multiply(S);
  }
}

// A block's place in C, in blocks: those that run together share rows and columns, for L2's sake.
struct Place {
  int row, col;
};
__device__ inline Place place_of(int block, int rows, int cols) {
  constexpr int group = 16;  // rows
  const int first = block / (group * cols) * group, height = min(group, rows - first);
  const int within = block - first * cols;
  return {first + within % height, within / height};
}

// Options of the loaders: Exact where m, n and k are multiples of the shape's; ZeroFill for any.
template <class Shape, class... Options>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks) gemm_kernel(const Gemm g) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& ring = *reinterpret_cast<typename Shape::Ring*>(memory);
  tilepipe::TileLoader<typename Shape::TileA, Options...> load_a{g.a, g.m, g.k, g.lda};
  tilepipe::TileLoader<typename Shape::TileB, Options...> load_b{g.b, g.n, g.k, g.ldb};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<Shape::threads>{}, load_a, load_b};

  const Place place = place_of(static_cast<int>(blockIdx.x), (g.m + Shape::m - 1) / Shape::m,
                               (g.n + Shape::n - 1) / Shape::n);
  const int row = place.row * Shape::m, col = place.col * Shape::n;
#pragma unroll  // so that the compiler counts the stages in flight
  for (int k = 0; k < Shape::ahead; k += Shape::k) {
    typename Shape::Stage& stage = pipe.producer_acquire();
    pipe.fill(load_a, stage.a, row, k);
    pipe.fill(load_b, stage.b, col, k);
    pipe.producer_commit();
  }
  auto product = Shape::product(pipe.rank());
  const typename Shape::Stage* stage = &pipe.consumer_wait();
  product.fetch(stage->a, stage->b, 0);
  int k = 0;
  for (; k < g.k - Shape::ahead; k += Shape::k)
    multiply_stage<true>(pipe, load_a, load_b, row, col, k + Shape::ahead, false, stage, product);
  for (; k < g.k; k += Shape::k)
    multiply_stage<false>(pipe, load_a, load_b, 0, 0, 0, g.k - k <= Shape::k, stage, product);
  pipe.drain();

  product.for_each_pair([&](int r, int c, float x, float y) {
    bf16* to = g.c + (row + r) * g.ldc + col + c;
    if constexpr (decltype(load_a)::config.edge == tilepipe::Edge::exact) {
      *reinterpret_cast<__nv_bfloat162*>(to) = __floats2bfloat162_rn(x, y);
    } else if (row + r < g.m) {
      if (col + c < g.n) to[0] = __float2bfloat16_rn(x);
      if (col + c + 1 < g.n) to[1] = __float2bfloat16_rn(y);
    }
  });
}

template <class Shape, class... Options>
cudaError_t launch_gemm(const Gemm& g, cudaStream_t stream = nullptr) {
  const auto kernel = gemm_kernel<Shape, Options...>;
  constexpr int bytes = sizeof(typename Shape::Ring);
  const cudaError_t status =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (status != cudaSuccess) return status;
  const int blocks = ((g.m + Shape::m - 1) / Shape::m) * ((g.n + Shape::n - 1) / Shape::n);
  if (blocks > 0) kernel<<<blocks, Shape::threads, bytes, stream>>>(g);
  return cudaGetLastError();
}

// Any extents, pitches and alignment: the widest copies that the pointers and pitches of A and B
// allow, and the shape that the device and the code that the driver picked are good for.
inline cudaError_t gemm(const Gemm& g, cudaStream_t stream = nullptr) {
  using namespace tilepipe;
  const auto address = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const auto odd = address(g.a) | address(g.b) | static_cast<std::uintptr_t>((g.lda | g.ldb) * 2);
  if (odd % 4 != 0) return launch_gemm<SmallShape, ZeroFill, Aligned<2>>(g, stream);
  if (odd % 8 != 0) return launch_gemm<SmallShape, ZeroFill, Aligned<4>>(g, stream);
  if (odd % 16 != 0) return launch_gemm<SmallShape, ZeroFill, Aligned<8>>(g, stream);
  using Large = LargeShape;
  static const bool large = support::running_arch(gemm_kernel<Large, ZeroFill>) >= 80 &&
                            support::shared_memory_limit() >= sizeof(Large::Ring);
  if (!large) return launch_gemm<SmallShape, ZeroFill>(g, stream);
  const bool exact = g.m % Large::m == 0 && g.n % Large::n == 0 && g.k % Large::k == 0 &&
                     g.k >= Large::ahead && g.ldc % 2 == 0 && address(g.c) % 4 == 0;
  if (exact) return launch_gemm<Large, Exact>(g, stream);
  return launch_gemm<Large, ZeroFill>(g, stream);
}

}  // namespace example
