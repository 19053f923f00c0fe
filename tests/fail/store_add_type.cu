// SPDX-License-Identifier: Apache-2.0
// Adding of a type that no instruction adds.
// expect: tilepipe::TileStorer<Tile, ReduceAdd>: global memory adds int, long long and their
//   unsigned types, float, double, __half and __nv_bfloat16; use one of them, or leave
//   ReduceAdd out
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define ELEMENT int
#else
#define ELEMENT short
#endif

__global__ void kernel(ELEMENT* out) {
  tilepipe::TileStorer<tilepipe::Tile<ELEMENT, 1024>, tilepipe::ReduceAdd> store{out};
}
