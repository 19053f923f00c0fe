// SPDX-License-Identifier: Apache-2.0
// SGEMM_CUDA's kernel 10, which tiles by warps, and 12, which copies by cuda::memcpy_async.
#include "sgemm_peers.hpp"

// Both have names in the global namespace.
#include <kernels/10_kernel_warptiling.cuh>
#include <kernels/12_kernel_double_buffering.cuh>

namespace bench {
namespace {

template <int M, int N, int K, int WarpM, int WarpN, int Iterations, int ThreadM, int ThreadN,
          int Threads>
void warp_tiling(const SgemmProblem& p) {
  const dim3 grid((p.size + N - 1) / N, (p.size + M - 1) / M);
  sgemmWarptiling<M, N, K, WarpM, WarpN, Iterations, ThreadM, ThreadN, Threads><<<grid, Threads>>>(
      p.size, p.size, p.size, 1.0f, const_cast<float*>(p.a), const_cast<float*>(p.b), 0.0f, p.c);
}

template <int M, int N, int K, int WarpM, int WarpN, int Iterations, int ThreadM, int ThreadN,
          int Threads>
void double_buffering(const SgemmProblem& p) {
  const dim3 grid((p.size + N - 1) / N, (p.size + M - 1) / M);
  runSgemmDoubleBuffering2<M, N, K, WarpM, WarpN, Iterations, ThreadM, ThreadN, Threads>
      <<<grid, Threads>>>(p.size, p.size, p.size, 1.0f, const_cast<float*>(p.a),
                          const_cast<float*>(p.b), 0.0f, p.c);
}

}  // namespace

std::vector<SgemmPeer> sgemm_cuda_peers(const SgemmProblem& problem) {
  if (problem.size % 128 != 0) return {};
  return {{"kernel 10, 128x128x16", warp_tiling<128, 128, 16, 64, 64, 4, 8, 4, 128>},
          {"kernel 10, 64x128x16", warp_tiling<64, 128, 16, 32, 64, 1, 4, 4, 128>},
          {"kernel 12, 128x128x16", double_buffering<128, 128, 16, 64, 64, 4, 8, 4, 128>}};
}

}  // namespace bench
