// SPDX-License-Identifier: Apache-2.0
// A tile without elements.
// expect: tilepipe::Tile<T, Extents...>: every extent must be positive
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define ROWS 1
#else
#define ROWS 0
#endif

__global__ void kernel() { __shared__ tilepipe::Tile<float, ROWS, 64> tile; }
