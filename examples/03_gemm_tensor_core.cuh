// SPDX-License-Identifier: Apache-2.0
// C = A * B in bf16 with fp32 sums: A and C row-major, B column-major: both are read along K.
#pragma once

#include <cuda_bf16.h>

#include <algorithm>
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
// WarpsM x WarpsN warps. What is copied are Pieces of neighbours along K: K, pitches and addresses
// of A and B are whole numbers of them, and no edge cuts one.
template <int M, int N, int K, int Stages, int WarpsM, int WarpsN, class Piece_>
struct GemmShape {
  using Piece = Piece_;
  static constexpr int in_piece = sizeof(Piece) / sizeof(bf16);
  static constexpr int m = M, n = N, k = K, stages = Stages, threads = WarpsM * WarpsN * 32;
  template <class Tile, class Edge>
  using Loader = tilepipe::TileLoader<Tile, Edge, tilepipe::Aligned<sizeof(Piece)>>;
  using TileA = tilepipe::SwizzledTile<Piece, M, K / in_piece>;
  using TileB = tilepipe::SwizzledTile<Piece, N, K / in_piece>;
  struct Stage {
    TileA a;
    TileB b;
  };
  using Ring = tilepipe::Ring<Stage, Stages>;
  using Patches = support::Patches<M, N>;
  using Product = support::WarpProduct<TileA, TileB, WarpsM, WarpsN>;
};

// Wide and Tall want 144 KiB of shared memory, Single 72, Small 48.
using Wide = GemmShape<128, 256, 64, 3, 2, 4, uint4>;
using Tall = GemmShape<256, 128, 64, 3, 4, 2, uint4>;
using Single = GemmShape<128, 256, 32, 3, 2, 4, unsigned short>;
template <class Piece>
using Small = GemmShape<128, 128, 32, 3, 2, 4, Piece>;

// Step S and later ones of the stage at hand. Beside each multiplication come the next fragments,
// and a slice of the copies of the stage that the walk has reached. Then the stage has been read,
// and gives way: after the last one if copies go through registers, where they have to arrive.
template <int S = 0, class Pipe, class A, class B, class Walk, class Stage, class Product>
__device__ __forceinline__ void multiply_stage(Pipe& pipe, A& load_a, B& load_b, Walk& walk,
                                               const Stage*& stage, Product& product) {
  constexpr int slices = Product::steps - 1;
  if constexpr (S < slices) {
    product.fetch(stage->a, stage->b, S + 1);
    Stage& ahead = pipe.producer_acquire();
    pipe.fill(tilepipe::slice<S, slices>, load_a, ahead.a, walk.row(), walk.along());
    pipe.fill(tilepipe::slice<S, slices>, load_b, ahead.b, walk.col(), walk.along());
    product.multiply(S);
    multiply_stage<S + 1>(pipe, load_a, load_b, walk, stage, product);
  } else {
    if constexpr (A::path == tilepipe::Path::registers) product.multiply(S);
    pipe.producer_commit();
    pipe.consumer_release();
    stage = &pipe.consumer_wait();
    product.fetch(stage->a, stage->b, 0);
    if constexpr (A::path != tilepipe::Path::registers) product.multiply(S);
    walk.next();
  }
}

// Edge: tilepipe::Exact where m, n and k are multiples of the shape's; tilepipe::ZeroFill for any.
template <class Shape, class Edge>
__global__ void __launch_bounds__(Shape::threads, 1) gemm_kernel(const Gemm g) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& ring = *reinterpret_cast<typename Shape::Ring*>(memory);
  const auto a = reinterpret_cast<const typename Shape::Piece*>(g.a);
  const auto b = reinterpret_cast<const typename Shape::Piece*>(g.b);
  constexpr int in_piece = Shape::in_piece;
  const int depth = g.k / in_piece;
  typename Shape::Loader<typename Shape::TileA, Edge> load_a{a, g.m, depth, g.lda / in_piece};
  typename Shape::Loader<typename Shape::TileB, Edge> load_b{b, g.n, depth, g.ldb / in_piece};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<Shape::threads>{}, load_a, load_b};
  constexpr bool exact = decltype(load_a)::config.edge == tilepipe::Edge::exact;
  const typename Shape::Patches patches(g.m, g.n);
  support::Walk<typename Shape::Patches> walk{patches, depth, Shape::k / in_piece};
#pragma unroll  // so that the compiler counts the stages in flight
  for (int ahead = 1; ahead < Shape::stages; ++ahead) {
    typename Shape::Stage& stage = pipe.producer_acquire();
    pipe.fill(load_a, stage.a, walk.row(), walk.along());
    pipe.fill(load_b, stage.b, walk.col(), walk.along());
    pipe.producer_commit();
    walk.next();
  }
  typename Shape::Product product(pipe.rank());
  const typename Shape::Stage* stage = &pipe.consumer_wait();
  product.fetch(stage->a, stage->b, 0);
  for (int patch = blockIdx.x; patch < patches.count(); patch += gridDim.x) {
    for (int k = 0; k < g.k; k += Shape::k)
      multiply_stage(pipe, load_a, load_b, walk, stage, product);
    const auto at = patches(patch);
    product.take([&](int row, int col, uint4 eight) {
      bf16* to = g.c + (at.row + row) * g.ldc + at.col + col;
      support::store_first<exact>(to, eight, at.row + row < g.m ? g.n - at.col - col : 0);
    });
  }
  pipe.drain();
}

template <class Shape, class Edge>
cudaError_t launch_gemm(const Gemm& g, cudaStream_t stream = nullptr) {
  constexpr int bytes = sizeof(typename Shape::Ring);
  // Once; a program with several devices does it for each.
  [[maybe_unused]] static const auto prepared =
      tilepipe::host::prepare(gemm_kernel<Shape, Edge>, bytes);
  const int blocks = typename Shape::Patches(g.m, g.n).blocks();
  if (blocks > 0) gemm_kernel<Shape, Edge><<<blocks, Shape::threads, bytes, stream>>>(g);
  return cudaGetLastError();
}

// Any extents, pitches and alignment: the widest copies that A and B allow, and the shape that the
// device and the code that the driver picked are good for, and whose busiest block has least to do.
inline cudaError_t gemm(const Gemm& g, cudaStream_t stream = nullptr) {
  using namespace tilepipe;
  const int aligned =
      std::min(host::alignment_of(g.a, g.lda, g.k), host::alignment_of(g.b, g.ldb, g.k));
  static const bool large = support::running_arch(gemm_kernel<Wide, ZeroFill>) >= 80 &&
                            support::shared_memory_limit() >= sizeof(Wide::Ring);
  if (aligned < 4 && large) return launch_gemm<Single, ZeroFill>(g, stream);
  if (aligned < 4) return launch_gemm<Small<unsigned short>, ZeroFill>(g, stream);
  if (aligned < 8) return launch_gemm<Small<unsigned>, ZeroFill>(g, stream);
  if (aligned < 16) return launch_gemm<Small<uint2>, ZeroFill>(g, stream);
  if (!large) return launch_gemm<Small<uint4>, ZeroFill>(g, stream);
  const bool exact = g.m % Wide::m == 0 && g.n % Wide::n == 0 && g.k % Wide::k == 0 && g.k > 0 &&
                     host::alignment_of(g.c, g.ldc) == 16;
  if (exact) return launch_gemm<Wide, Exact>(g, stream);
  if (Tall::Patches(g.m, g.n).rounds() < Wide::Patches(g.m, g.n).rounds())
    return launch_gemm<Tall, ZeroFill>(g, stream);
  return launch_gemm<Wide, ZeroFill>(g, stream);
}

}  // namespace example
