// SPDX-License-Identifier: Apache-2.0
// A store ring of too many slots.
// expect: tilepipe::StoreRing<Tile, Slots>: Slots must be 1..16
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define SLOTS 16
#else
#define SLOTS 17
#endif

__global__ void kernel() {
  __shared__ tilepipe::StoreRing<tilepipe::Tile<float, 32>, SLOTS> ring;
  ring.slot[0][threadIdx.x] = 1;
}
