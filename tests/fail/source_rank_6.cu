// SPDX-License-Identifier: Apache-2.0
// A source of six extents.
// expect: tilepipe::Source<T, Rank>: Rank must be 1..5
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define RANK 5
#else
#define RANK 6
#endif

__global__ void kernel(const float* in) { tilepipe::Source<float, RANK> source{in}; }
