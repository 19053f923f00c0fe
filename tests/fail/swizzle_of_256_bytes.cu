// SPDX-License-Identifier: Apache-2.0
// A swizzle that the hardware has not.
// expect: tilepipe::Swizzle<Width>: Width must be 32, 64 or 128 bytes, as the hardware has it
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define WIDTH 128
#else
#define WIDTH 256
#endif

using Tile = tilepipe::BasicTile<float, tilepipe::Extents<8, 64>, tilepipe::Swizzle<WIDTH>>;

__global__ void kernel() { __shared__ Tile tile; }
