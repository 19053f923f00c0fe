// SPDX-License-Identifier: Apache-2.0
// A padded tile without padding.
// expect: tilepipe::Padded<PadBytes>: PadBytes must be positive; use Tile for rows without gaps
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PAD 16
#else
#define PAD 0
#endif

__global__ void kernel() { __shared__ tilepipe::PaddedTile<PAD, float, 8, 32> tile; }
