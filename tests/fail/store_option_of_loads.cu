// SPDX-License-Identifier: Apache-2.0
// An option that only loads have.
// expect: tilepipe::TileStorer<Tile, Options...>: ZeroFill, Gathered, CacheAll, CacheGlobal and
//   L2Prefetch are options of loads; leave them out
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Exact
#else
#define OPTION tilepipe::CacheGlobal
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::Tile<float, 1024>, OPTION> store{out};
}
