// SPDX-License-Identifier: Apache-2.0
// A tile of six extents.
// expect: tilepipe::Tile<T, Extents...>: a tile has 1 to 5 extents
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define EXTENTS 2, 2, 2, 2, 4
#else
#define EXTENTS 2, 2, 2, 2, 2, 4
#endif

__global__ void kernel() { __shared__ tilepipe::Tile<float, EXTENTS> tile; }
