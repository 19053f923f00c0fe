// SPDX-License-Identifier: Apache-2.0
// C = A * B in fp32 on the FMA units, all three row-major.
#pragma once

#include <algorithm>
#include <tilepipe/host/launch.hpp>
#include <tilepipe/tilepipe.cuh>

#include "support/device.hpp"
#include "support/fma.cuh"
#include "support/patches.cuh"

namespace example {

// Pitches in elements, from row to row.
struct Sgemm {
  const float* a;
  const float* b;
  float* c;
  int m, n, k;
  long long lda, ldb, ldc;
};

// A block computes patches of 128 x 128 of C in steps of 8 along K; two blocks share a
// multiprocessor.
struct SgemmStage {
  tilepipe::BasicTile<float, tilepipe::Extents<128, 8>, support::Transposed> a;
  tilepipe::Tile<float, 8, 128> b;
};
using SgemmA = decltype(SgemmStage::a);
using SgemmB = decltype(SgemmStage::b);
using SgemmRing = tilepipe::Ring<SgemmStage, 3>;
using SgemmProduct = support::ThreadProduct<SgemmA, SgemmB>;
using SgemmPatches = support::Patches<SgemmA::rows, SgemmB::cols>;
using SgemmTeam = tilepipe::Block<SgemmProduct::threads>;
inline constexpr int sgemm_blocks = 2;

// The terms of the stage at hand from S on. Before each come the fetches for the next one, which
// after the last is of the next stage, and beside every fourth goes a slice of the copies of the
// stage that the walk has reached.
template <int S = 0, class Pipe, class A, class B, class Walk>
__device__ __forceinline__ void multiply_stage(Pipe& pipe, A& load_a, B& load_b, Walk& walk,
                                               const SgemmStage*& stage, SgemmProduct& product) {
  constexpr int steps = SgemmProduct::steps;
  if constexpr (S % 4 == 0) {
    SgemmStage& ahead = pipe.producer_acquire();
    pipe.fill(tilepipe::slice<S / 4, steps / 4>, load_a, ahead.a, walk.row(), walk.along());
    pipe.fill(tilepipe::slice<S / 4, steps / 4>, load_b, ahead.b, walk.along(), walk.col());
  }
  if constexpr (S + 1 < steps) {
    product.fetch(stage->a, stage->b, S + 1);
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

// Options of the loaders: Exact where m and n are multiples of 128 and k of 8; ZeroFill for any.
template <class... Options>
__global__ void __launch_bounds__(SgemmProduct::threads, sgemm_blocks) sgemm_kernel(const Sgemm g) {
  extern __shared__ __align__(128) unsigned char memory[];
  auto& ring = *reinterpret_cast<SgemmRing*>(memory);
  tilepipe::TileLoader<SgemmA, Options...> load_a{g.a, g.m, g.k, g.lda};
  tilepipe::TileLoader<SgemmB, Options...> load_b{g.b, g.k, g.n, g.ldb};
  tilepipe::Pipeline pipe{ring, SgemmTeam{}, load_a, load_b};
  constexpr bool exact = decltype(load_a)::config.edge == tilepipe::Edge::exact;

  const SgemmPatches patches(g.m, g.n);
  using Whole = support::Whole<SgemmPatches>;
  support::Walk<Whole, SgemmA::cols> walk{Whole(patches, (g.k + SgemmA::cols - 1) / SgemmA::cols)};
#pragma unroll  // so that the compiler counts the stages in flight
  for (int ahead = 1; ahead < SgemmRing::stages; ++ahead) {
    SgemmStage& stage = pipe.producer_acquire();
    pipe.fill(load_a, stage.a, walk.row(), walk.along());
    pipe.fill(load_b, stage.b, walk.along(), walk.col());
    pipe.producer_commit();
    walk.next();
  }
  SgemmProduct product(pipe.rank());
  const SgemmStage* stage = &pipe.consumer_wait();
  product.fetch(stage->a, stage->b, 0);
  for (int patch = blockIdx.x; patch < patches.count(); patch += gridDim.x) {
    for (int k = 0; k < g.k; k += SgemmA::cols)
      multiply_stage(pipe, load_a, load_b, walk, stage, product);
    const auto at = patches(patch);
    product.take([&](int row, int col, float4 four) {
      float* to = g.c + (at.row + row) * g.ldc + at.col + col;
      support::store_first<exact>(to, four, at.row + row < g.m ? g.n - at.col - col : 0);
    });
  }
  pipe.drain();
}

template <class... Options>
cudaError_t launch_sgemm(const Sgemm& g, cudaStream_t stream = nullptr) {
  const auto kernel = sgemm_kernel<Options...>;
  constexpr int bytes = sizeof(SgemmRing);
  // Once; a program with several devices does it for each.
  [[maybe_unused]] static const auto prepared = tilepipe::host::prepare(kernel, bytes);
  const int patches = SgemmPatches(g.m, g.n).count();
  const int blocks = std::min(patches, sgemm_blocks * support::multiprocessors());
  if (patches > 0) kernel<<<blocks, SgemmProduct::threads, bytes, stream>>>(g);
  return cudaGetLastError();
}

// Any extents and pitches: copies of 16 bytes of B where it allows them, else of 4, as all of A's.
inline cudaError_t sgemm(const Sgemm& g, cudaStream_t stream = nullptr) {
  using namespace tilepipe;
  if (host::alignment_of(g.b, g.ldb) < 16) return launch_sgemm<ZeroFill, Aligned<4>>(g, stream);
  const bool exact = g.m % SgemmA::rows == 0 && g.n % SgemmB::cols == 0 &&
                     g.k % SgemmA::cols == 0 && g.k > 0 && host::alignment_of(g.c, g.ldc) == 16;
  return exact ? launch_sgemm<Exact>(g, stream) : launch_sgemm<ZeroFill>(g, stream);
}

}  // namespace example
