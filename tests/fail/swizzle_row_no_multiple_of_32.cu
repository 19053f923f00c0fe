// SPDX-License-Identifier: Apache-2.0
// A swizzled tile whose rows no swizzle divides.
// expect: tilepipe::SwizzledTile<T, Extents...>: a row must be a multiple of 32 bytes; widen the
//   row, or use PaddedTile
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COLS 16
#else
#define COLS 12
#endif

__global__ void kernel() { __shared__ tilepipe::SwizzledTile<float, 8, COLS> tile; }
