// SPDX-License-Identifier: Apache-2.0
// A load that adds.
// expect: tilepipe::TileLoader<Tile, ReduceAdd>: a load does not add; use ReduceAdd with
//   TileStorer, or leave it out
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Exact
#else
#define OPTION tilepipe::ReduceAdd
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 1024>, OPTION> load{in};
}
