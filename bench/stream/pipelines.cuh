// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline's streaming kernels of one W.
#pragma once

#include "baseline/stream_cuda_pipeline.cuh"
#include "kernel.hpp"

namespace bench {

template <int W, int N, int S>
void add_pipelines(Kernels& to) {
  constexpr std::size_t bytes = S * N * sizeof(float);
  to.push_back(kernel(baseline::stream_pipeline_thread<W, N, S, 256, true>,
                      "cuda::pipeline, thread scope", W, N, S, 256, bytes));
  to.push_back(kernel(baseline::stream_pipeline_block<W, N, S, 256>, "cuda::pipeline, block scope",
                      W, N, S, 256, bytes));
  to.push_back(kernel(baseline::stream_pipeline_thread<W, N, S, 256, false>,
                      "thread-private cuda::pipeline", W, N, S, 256, bytes));
}

template <int W>
Kernels pipelines() {
  Kernels all;
  add_pipelines<W, 1024, 2>(all);
  add_pipelines<W, 1024, 4>(all);
  add_pipelines<W, 4096, 2>(all);
  add_pipelines<W, 4096, 3>(all);
  add_pipelines<W, 4096, 4>(all);
  return all;
}

}  // namespace bench
