// SPDX-License-Identifier: Apache-2.0
// A prefetch size that cp.async has not.
// expect: tilepipe::L2Prefetch<Bytes>: Bytes must be 64, 128 or 256, as cp.async has it
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BYTES 64
#else
#define BYTES 32
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 8, 64>, tilepipe::L2Prefetch<BYTES>> load{in, 64, 64,
                                                                                       64};
}
