// SPDX-License-Identifier: Apache-2.0
// Rows at a pitch as a source of three extents.
// expect: tilepipe::Source<T, Rank>::pitched(rows, cols, pitch): for Rank 2
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define RANK 2
#else
#define RANK 3
#endif

__global__ void kernel(const float* in) {
  auto source = tilepipe::Source<float, RANK>::pitched(in, 8, 64, 64);
}
