// SPDX-License-Identifier: Apache-2.0
// A ring without a stage.
// expect: tilepipe::Ring<Stage, Stages>: Stages must be 1..16, is less than 1
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define STAGES 1
#else
#define STAGES 0
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel() { __shared__ tilepipe::Ring<Stage, STAGES> ring; }
