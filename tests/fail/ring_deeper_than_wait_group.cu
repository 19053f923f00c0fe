// SPDX-License-Identifier: Apache-2.0
// More parts in flight than cp.async.wait_group counts.
// expect: tilepipe::Ring<Stage, Stages, Parts>: (Stages - 1) * Parts must be at most 63, the
//   depth at which cp.async.wait_group saturates
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define STAGES 8
#else
#define STAGES 9
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel() { __shared__ tilepipe::Ring<Stage, STAGES, 8> ring; }
