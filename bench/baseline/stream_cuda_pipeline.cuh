// SPDX-License-Identifier: Apache-2.0
// Streaming transforms with cuda::pipeline: thread scope and block scope, aligned_size_t<16>.
#pragma once

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "arithmetic.cuh"

// The shared state is set up by make_pipeline, as its documentation shows.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace baseline {

// Copies the thread's vectors of a tile as one batch of its pipeline.
template <int N, int Threads>
__device__ __forceinline__ void submit_tile(cuda::pipeline<cuda::thread_scope_thread>& pipe,
                                            float* tile, const float* from, int rank, bool there) {
  pipe.producer_acquire();
  if (there) {
#pragma unroll
    for (int j = 0; j < N / (Threads * 4); ++j) {
      const int i = (j * Threads + rank) * 4;
      cuda::memcpy_async(tile + i, from + i, cuda::aligned_size_t<16>(16), pipe);
    }
  }
  pipe.producer_commit();
}

// Thread scope, the wait's depth at compile time. Shared: the block barrier makes the tile visible
// to every thread. Otherwise each thread reads back only what it copied, and there is no barrier.
template <int W, int N, int S, int Threads, bool Shared>
__global__ void __launch_bounds__(Threads)
    stream_pipeline_thread(const float* in, float* out, int tiles) {
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto tile = reinterpret_cast<float(*)[N]>(baseline_smem);
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
#pragma unroll
  for (int t = 0; t < S - 1; ++t)
    submit_tile<N, Threads>(pipe, tile[t], in + start_of_tile<N>(t), rank, t < mine);
  int read = 0;
  int write = S - 1;
  for (int t = 0; t < mine; ++t) {
    cuda::pipeline_consumer_wait_prior<S - 2>(pipe);
    if (Shared) __syncthreads();
    submit_tile<N, Threads>(pipe, tile[write], in + start_of_tile<N>(t + S - 1), rank,
                            t + S - 1 < mine);
    if (++write == S) write = 0;
    transform_tile<W, N, Threads>(tile[read], out + start_of_tile<N>(t), rank);
    pipe.consumer_release();
    if (++read == S) read = 0;
  }
}

template <int W, int N, int S, int Threads>
__global__ void __launch_bounds__(Threads)
    stream_pipeline_block(const float* in, float* out, int tiles) {
  extern __shared__ __align__(128) unsigned char baseline_smem[];
  auto tile = reinterpret_cast<float(*)[N]>(baseline_smem);
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, S> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int rank = static_cast<int>(threadIdx.x);
  const int mine = tiles_of_block(tiles);
  const auto submit = [&](int slot, int t) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile[slot], in + start_of_tile<N>(t),
                       cuda::aligned_size_t<16>(N * sizeof(float)), pipe);
    pipe.producer_commit();
  };
#pragma unroll
  for (int t = 0; t < S - 1; ++t)
    if (t < mine) submit(t, t);
  int read = 0;
  int write = S - 1;
  for (int t = 0; t < mine; ++t) {
    if (t + S - 1 < mine) submit(write, t + S - 1);
    if (++write == S) write = 0;
    pipe.consumer_wait();
    transform_tile<W, N, Threads>(tile[read], out + start_of_tile<N>(t), rank);
    pipe.consumer_release();
    if (++read == S) read = 0;
  }
}

}  // namespace baseline
