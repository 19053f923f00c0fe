// SPDX-License-Identifier: Apache-2.0
// A product of bf16 matrices as plain data: A is m x k, B is n x k, C is m x n, each with a pitch.
#pragma once
#include "support/launch.hpp"

namespace tilepipe_test {

struct GemmExtents {
  int m, n, k;
  long long lda, ldb, ldc;
};

// The argument of the example's kernels.
Argument gemm_argument(DeviceAddress a, DeviceAddress b, DeviceAddress c, const GemmExtents& g);

// plain_product(a, b, sums, sizes, extents), a thread for each element of C: the sum of its
// products in fp64, and of their sizes.
const void* plain_product_kernel();

}  // namespace tilepipe_test
