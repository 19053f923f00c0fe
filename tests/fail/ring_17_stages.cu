// SPDX-License-Identifier: Apache-2.0
// A ring of more stages than 16.
// expect: tilepipe::Ring<Stage, Stages>: Stages must be 1..16, is more than 16
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define STAGES 16
#else
#define STAGES 17
#endif

using Tile = tilepipe::Tile<float, 256>;
struct Stage {
  Tile x;
};

__global__ void kernel() { __shared__ tilepipe::Ring<Stage, STAGES> ring; }
