// SPDX-License-Identifier: Apache-2.0
// An alignment that no instruction has.
// expect: tilepipe::Aligned<Bytes>: Bytes must be 1, 2, 4, 8 or 16
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BYTES 4
#else
#define BYTES 3
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::Aligned<BYTES>> load{in, 64, 64, 64};
}
