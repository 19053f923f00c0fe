// SPDX-License-Identifier: Apache-2.0
// The peers of sgemm_bench: cuBLAS, if its library is found, and SGEMM_CUDA, if its sources are
// given.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

// C = A * B in fp32, square, row-major, dense.
struct SgemmProblem {
  const float* a;
  const float* b;
  float* c;
  int size;
};

struct SgemmPeer {
  std::string name;
  std::function<void(const SgemmProblem&)> launch;
};

// cuBLAS in CUBLAS_PEDANTIC_MATH, named with its version; empty where its shared library is not
// found.
SgemmPeer cublas_pedantic();

// Kernels 10 and 12, with the settings of their authors; empty without -DSGEMM_CUDA_DIR.
std::vector<SgemmPeer> sgemm_cuda_peers(const SgemmProblem& problem);

}  // namespace bench
