// SPDX-License-Identifier: Apache-2.0
// A stage with a constructor of copies.
// expect: tilepipe::Ring<Stage, Stages>: Stage must be trivially copyable, a plain struct of
//   tiles
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COPY = default
#else
#define COPY \
  {}
#endif

struct Stage {
  tilepipe::Tile<float, 64> x;
  Stage() = default;
  __device__ Stage(const Stage&) COPY;
};

__global__ void kernel() { __shared__ tilepipe::Ring<Stage, 2> ring; }
