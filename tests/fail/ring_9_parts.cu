// SPDX-License-Identifier: Apache-2.0
// A stage in more parts than 8.
// expect: tilepipe::Ring<Stage, Stages, Parts>: Parts must be 1..8
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PARTS 8
#else
#define PARTS 9
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel() { __shared__ tilepipe::Ring<Stage, 2, PARTS> ring; }
