// SPDX-License-Identifier: Apache-2.0
// C = A * B in bf16 with fp32 sums: A and C row-major, B column-major, so that both are read along
// K.
#pragma once

#include <cuda_bf16.h>

#include <algorithm>
#include <cstdint>
#include <tilepipe/host/launch.hpp>
#include <tilepipe/tilepipe.cuh>

#include "support/device.hpp"
#include "support/mma.cuh"
#include "support/patches.cuh"

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

// A block computes patches of M x N of C, in steps of K with Stages steps in shared memory, by
// WarpsM x WarpsN warps. Blocks: how many share a multiprocessor.
template <int M, int N, int K, int Stages, int WarpsM, int WarpsN, int Blocks = 1>
struct GemmShape {
  static constexpr int m = M, n = N, k = K, stages = Stages;
  static constexpr int blocks = Blocks, threads = WarpsM * WarpsN * 32;
  using TileA = tilepipe::SwizzledTile<bf16, M, K>;
  using TileB = tilepipe::SwizzledTile<bf16, N, K>;
  struct Stage {
    TileA a;
    TileB b;
  };
  using Ring = tilepipe::Ring<Stage, Stages>;
  using Patches = support::Patches<M, N>;
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
// next step, and a slice of the copies of the stage that the walk has reached. Before the last step
// the stage has been read, and gives way to the next one.
template <int S = 0, class Pipe, class A, class B, class Walk, class Stage, class Product>
__device__ __forceinline__ void multiply_stage(Pipe& pipe, A& load_a, B& load_b, Walk& walk,
                                               const Stage*& stage, Product& product) {
  constexpr int last = Product::steps - 1;
  if constexpr (S < last) {
    product.fetch(stage->a, stage->b, S + 1);
    Stage& ahead = pipe.producer_acquire();
    pipe.fill(tilepipe::slice<S, last>, load_a, ahead.a, walk.at.row, walk.k);
    pipe.fill(tilepipe::slice<S, last>, load_b, ahead.b, walk.at.col, walk.k);
    product.multiply(S);
    multiply_stage<S + 1>(pipe, load_a, load_b, walk, stage, product);
  } else {
    pipe.producer_commit();
    pipe.consumer_release();
    stage = &pipe.consumer_wait();
    product.fetch(stage->a, stage->b, 0);
    product.multiply(S);
    walk.next();
  }
}

// Options of the loaders: Exact where m, n and k are multiples of the shape's; ZeroFill for any.
template <class Shape, class... Options>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks) gemm_kernel(const Gemm g) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& ring = *reinterpret_cast<typename Shape::Ring*>(memory);
  tilepipe::TileLoader<typename Shape::TileA, Options...> load_a{g.a, g.m, g.k, g.lda};
  tilepipe::TileLoader<typename Shape::TileB, Options...> load_b{g.b, g.n, g.k, g.ldb};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<Shape::threads>{}, load_a, load_b};

  const typename Shape::Patches patches(g.m, g.n);
  support::Walk<typename Shape::Patches> walk{patches, g.k, Shape::k};
#pragma unroll  // so that the compiler counts the stages in flight
  for (int ahead = 1; ahead < Shape::stages; ++ahead) {
    typename Shape::Stage& stage = pipe.producer_acquire();
    pipe.fill(load_a, stage.a, walk.at.row, walk.k);
    pipe.fill(load_b, stage.b, walk.at.col, walk.k);
    pipe.producer_commit();
    walk.next();
  }
  auto product = Shape::product(pipe.rank());
  const typename Shape::Stage* stage = &pipe.consumer_wait();
  product.fetch(stage->a, stage->b, 0);
  for (int patch = blockIdx.x; patch < patches.count(); patch += gridDim.x) {
    for (int k = 0; k < g.k; k += Shape::k)
      multiply_stage(pipe, load_a, load_b, walk, stage, product);
    const auto at = patches(patch);
    product.take([&](int row, int col, uint4 eight) {
      row += at.row;
      col += at.col;
      bf16* to = g.c + row * g.ldc + col;
      if constexpr (decltype(load_a)::config.edge == tilepipe::Edge::exact)
        *reinterpret_cast<uint4*>(to) = eight;
      else
        support::store_first(to, eight, row < g.m ? g.n - col : 0);
    });
  }
  pipe.drain();
}

template <class Shape, class... Options>
cudaError_t launch_gemm(const Gemm& g, cudaStream_t stream = nullptr) {
  const auto kernel = gemm_kernel<Shape, Options...>;
  constexpr int bytes = sizeof(typename Shape::Ring);
  // Once; a program with several devices does it for each.
  [[maybe_unused]] static const auto prepared = tilepipe::host::prepare(kernel, bytes);
  static const int most = support::multiprocessors() * Shape::blocks;
  const int patches = typename Shape::Patches(g.m, g.n).count();
  if (patches > 0) kernel<<<std::min(patches, most), Shape::threads, bytes, stream>>>(g);
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
  const bool exact = g.m % Large::m == 0 && g.n % Large::n == 0 && g.k % Large::k == 0 && g.k > 0 &&
                     g.ldc % 8 == 0 && address(g.c) % 16 == 0;
  if (exact) return launch_gemm<Large, Exact>(g, stream);
  return launch_gemm<Large, ZeroFill>(g, stream);
}

}  // namespace example
