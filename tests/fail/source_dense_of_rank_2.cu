// SPDX-License-Identifier: Apache-2.0
// A dense source that is no vector.
// expect: tilepipe::Source<T, Rank>::dense: for Rank 1
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define RANK 1
#else
#define RANK 2
#endif

__global__ void kernel(const float* in) {
  auto source = tilepipe::Source<float, RANK>::dense(in, 64);
}
