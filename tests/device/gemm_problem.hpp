// SPDX-License-Identifier: Apache-2.0
// A product of bf16 matrices as plain data: A is m x k, B is n x k, C is m x n, each with a pitch.
#pragma once
#include <vector>

#include "support/launch.hpp"

namespace tilepipe_test {

struct GemmExtents {
  int m, n, k;
  long long lda, ldb, ldc;
};

// The first `whole` of all patches are computed whole, the others in so many slices along K, in
// which they have so many steps.
struct GemmSplit {
  int patches, steps, whole, slices;
};

// The arguments of the example's kernels, and of those that add the sums of slices.
std::vector<Argument> gemm_arguments(DeviceAddress a, DeviceAddress b, DeviceAddress c,
                                     DeviceAddress sums, const GemmExtents& g,
                                     const GemmSplit& split);
std::vector<Argument> add_slices_arguments(DeviceAddress sums, DeviceAddress c,
                                           const GemmExtents& g, const GemmSplit& split);

// plain_product(a, b, sums, sizes, extents), a thread for each element of C: the sum of its
// products in fp64, and of their sizes.
const void* plain_product_kernel();

}  // namespace tilepipe_test
