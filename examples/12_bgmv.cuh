// SPDX-License-Identifier: Apache-2.0
// Batched products of a vector with a matrix that an index chooses: the first half of LoRA adapters
// in a batch of requests that each have their own.
#pragma once

#include <cuda_fp16.h>

#include <tilepipe/host/launch.hpp>
#include <tilepipe/tilepipe.cuh>

namespace example {

// y[b][j] += scale * sum over k of w[adapter[b]][layer][j][k] * x[b][k]. Arrays are dense; w and x
// are aligned to 16 bytes, and `in` is a multiple of 8.
struct Bgmv {
  __half* y;        // batch x out
  const __half* x;  // batch x in
  const __half* w;  // adapters x layers x out x in
  const long long* adapter;
  int batch, in, out;
  long long adapters, layers, layer;
  float scale;
};

// A block computes Outputs neighbours of a request's, in steps of Step inputs.
template <int Outputs, int Step, int Stages, int Threads>
struct BgmvShape {
  static constexpr int outputs = Outputs, step = Step, threads = Threads;
  static_assert(Step % (8 * Threads) == 0, "each thread has whole packs of eight halves");
  using WeightTile = tilepipe::Tile<__half, Outputs, Step>;
  using InputTile = tilepipe::Tile<__half, 1, Step>;
  struct Stage {
    InputTile x;
    WeightTile w;
  };
  using Ring = tilepipe::Ring<Stage, Stages>;
  using WeightLoader = tilepipe::TileLoader<WeightTile, tilepipe::ZeroFill>;
  using InputLoader = tilepipe::TileLoader<InputTile, tilepipe::ZeroFill>;
};
// Few outputs are a matter of latency: up to 12288 inputs are all on their way at once. Many share
// what they read of x.
using FewOutputs = BgmvShape<1, 4096, 4, 256>;
using ManyOutputs = BgmvShape<4, 2048, 3, 256>;

using Halves = tilepipe::Pack<__half2, 4>;
static_assert(sizeof(Halves) == 16);

__device__ inline float dot(float sum, const Halves& a, const Halves& b) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 u = __half22float2(a.element[i]), v = __half22float2(b.element[i]);
    sum += u.x * v.x + u.y * v.y;
  }
  return sum;
}

// A grid of (out / outputs, batch) blocks.
template <class Shape>
__global__ void __launch_bounds__(Shape::threads) bgmv_kernel(const Bgmv p) {
  extern __shared__ __align__(16) unsigned char bgmv_memory[];
  auto& ring = *reinterpret_cast<typename Shape::Ring*>(bgmv_memory);
  __shared__ float of_warp[Shape::threads / 32][Shape::outputs];
  const int first = blockIdx.x * Shape::outputs, request = blockIdx.y;

  // First what the rest depends on, and what is far away.
  const long long row = (p.adapter[request] * p.layers + p.layer) * p.out + first;
  __half* y = p.y + request * 1ll * p.out + first + threadIdx.x;
  const float before = threadIdx.x < Shape::outputs ? __half2float(*y) : 0.0f;

  typename Shape::InputLoader load_x{p.x, p.batch, p.in, p.in};
  typename Shape::WeightLoader load_w{p.w, p.adapters * p.layers * p.out, p.in, p.in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<Shape::threads>{}, load_x, load_w};
  const int rank = pipe.rank();
  float sum[Shape::outputs] = {};
  pipe.run((p.in + Shape::step - 1) / Shape::step,
           [&](typename Shape::Stage& s, int t) {
             pipe.fill(load_x, s.x, request, t * Shape::step);
             pipe.fill(load_w, s.w, row, t * Shape::step);
           },
           [&](const typename Shape::Stage& s, int) {
#pragma unroll
             for (int at = 0; at < Shape::step; at += Shape::threads * 8) {
               const int k = at + rank * 8;
               const auto x = s.x.template as<Halves>(0, k);
#pragma unroll
               for (int j = 0; j < Shape::outputs; ++j)
                 sum[j] = dot(sum[j], x, s.w.template as<Halves>(j, k));
             }
           });
#pragma unroll
  for (int j = 0; j < Shape::outputs; ++j) {
    for (int lanes = 16; lanes > 0; lanes /= 2)
      sum[j] += __shfl_xor_sync(0xffffffffu, sum[j], lanes);
    if (rank % 32 == 0) of_warp[rank / 32][j] = sum[j];
  }
  pipe.sync();
  if (rank < Shape::outputs) {
    float all = 0;
    for (int w = 0; w < Shape::threads / 32; ++w) all += of_warp[w][rank];
    *y = __float2half(before + p.scale * all);
  }
}

template <class Shape>
cudaError_t launch_bgmv(const Bgmv& p, cudaStream_t stream) {
  constexpr int bytes = sizeof(typename Shape::Ring);
  // Once; a program with several devices does it for each.
  [[maybe_unused]] static const auto prepared = tilepipe::host::prepare(bgmv_kernel<Shape>, bytes);
  const dim3 blocks(p.out / Shape::outputs, p.batch);
  bgmv_kernel<Shape><<<blocks, Shape::threads, bytes, stream>>>(p);
  return cudaGetLastError();
}

inline cudaError_t bgmv(const Bgmv& p, cudaStream_t stream = nullptr) {
  if (p.batch == 0 || p.out == 0) return cudaSuccess;
  if (p.batch * p.out <= 128 || p.out % ManyOutputs::outputs != 0)
    return launch_bgmv<FewOutputs>(p, stream);
  return launch_bgmv<ManyOutputs>(p, stream);
}

}  // namespace example
