// SPDX-License-Identifier: Apache-2.0
// A copy plan whose chunks do not fill a row.
// expect: tilepipe::ChunkPlan: a row must be a multiple of the chunk's width
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define WIDTH 8
#else
#define WIDTH 16
#endif

__global__ void kernel(int* out) { *out = tilepipe::ChunkPlan<1, 24, WIDTH>::steps(32); }
