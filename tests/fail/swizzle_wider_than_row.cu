// SPDX-License-Identifier: Apache-2.0
// A swizzle of 128 bytes on rows of 64.
// expect: tilepipe::SwizzledTile<T, Extents...>: the swizzle is wider than the row; widen the
//   row, or use a narrower Swizzle or PaddedTile
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define WIDTH 64
#else
#define WIDTH 128
#endif

using Tile = tilepipe::BasicTile<float, tilepipe::Extents<8, 16>, tilepipe::Swizzle<WIDTH>>;

__global__ void kernel() { __shared__ Tile tile; }
