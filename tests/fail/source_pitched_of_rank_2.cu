// SPDX-License-Identifier: Apache-2.0
// Slices of rows as a source of two extents.
// expect: tilepipe::Source<T, Rank>::pitched(depth, rows, cols, row_pitch, slice_pitch): for
//   Rank 3
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define RANK 3
#else
#define RANK 2
#endif

__global__ void kernel(const float* in) {
  auto source = tilepipe::Source<float, RANK>::pitched(in, 2, 8, 64, 64, 512);
}
