// SPDX-License-Identifier: Apache-2.0
// C = A * B in bf16 with fp32 sums: A and C row-major, B column-major: both are read along K.
#pragma once

#include <cuda_bf16.h>

#include <tilepipe/host/launch.hpp>
#include <tilepipe/tilepipe.cuh>

#include "support/gemm.cuh"
#include "support/mma.cuh"
#include "support/patches.cuh"

namespace example {
using bf16 = __nv_bfloat16;

// Pitches in elements: from row to row of A and C, from column to column of B. sums: as many as
// support::slices_space() says, for sums of slices along K; null where nothing shall be cut so.
struct Gemm {
  const bf16* a;
  const bf16* b;
  bf16* c;
  int m, n, k;
  long long lda, ldb, ldc;
  float4* sums = nullptr;
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

// Wide and Tall want 144 KiB of shared memory, Low 120, Single 72, Small 48.
using Wide = GemmShape<128, 256, 64, 3, 2, 4, uint4>;
using Tall = GemmShape<256, 128, 64, 3, 4, 2, uint4>;
using Low = GemmShape<64, 128, 64, 5, 2, 4, uint4>;
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
__global__ void __launch_bounds__(Shape::threads, 1)
    gemm_kernel(const Gemm g, const support::Split split) {
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
  const support::Shares shares(typename Shape::Patches(g.m, g.n), split);
  support::Walk<decltype(shares), Shape::k / in_piece> walk{shares};
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
  for (int i = blockIdx.x; i < shares.count(); i += gridDim.x) {
    for (int steps = shares(i).steps; steps > 0; --steps)
      multiply_stage(pipe, load_a, load_b, walk, stage, product);
    const auto at = shares(i);
    if (at.slice < 0)
      product.take(support::PatchWriter<exact>{g.c, g.m, g.n, g.ldc, at.row, at.col});
    else
      product.take_sums(g.sums + at.slice * (Shape::m * Shape::n / 4ll) + pipe.rank());
  }
  pipe.drain();
}

template <class Shape, class Edge>
cudaError_t launch_gemm(const Gemm& g, cudaStream_t stream) {
  constexpr int bytes = sizeof(typename Shape::Ring);
  [[maybe_unused]] static const auto prepared =  // once; with several devices, for each
      tilepipe::host::prepare(gemm_kernel<Shape, Edge>, bytes);
  const support::Split split = support::price<Shape>(g).split;
  const int blocks = support::blocks_for(split);
  if (blocks > 0) gemm_kernel<Shape, Edge><<<blocks, Shape::threads, bytes, stream>>>(g, split);
  return support::launch_add_slices<Shape>(g, split, stream);
}

// Any extents, pitches and alignment: the widest copies that A and B allow, and the shape that the
// device and the code that the driver picked are good for, and that costs least.
inline cudaError_t gemm(const Gemm& g, cudaStream_t stream = nullptr) {
  using namespace tilepipe;
  const int aligned = support::alignment(g);
  static const bool large = support::suits(gemm_kernel<Wide, ZeroFill>, 80, sizeof(Wide::Ring));
  if (aligned < 4 && large) return launch_gemm<Single, ZeroFill>(g, stream);
  if (aligned < 4) return launch_gemm<Small<unsigned short>, ZeroFill>(g, stream);
  if (aligned < 8) return launch_gemm<Small<unsigned>, ZeroFill>(g, stream);
  if (aligned < 16) return launch_gemm<Small<uint2>, ZeroFill>(g, stream);
  if (!large) return launch_gemm<Small<uint4>, ZeroFill>(g, stream);
  const int best = support::cheapest<Wide, Tall, Low>(g);
  if (best == 1) return launch_gemm<Tall, ZeroFill>(g, stream);
  if (best == 2) return launch_gemm<Low, ZeroFill>(g, stream);
  if (support::whole<Wide>(g)) return launch_gemm<Wide, Exact>(g, stream);
  return launch_gemm<Wide, ZeroFill>(g, stream);
}

}  // namespace example
