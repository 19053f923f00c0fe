// SPDX-License-Identifier: Apache-2.0
// An element larger than 48 bytes.
// expect: tilepipe::Tile<T, Extents...>: T may have at most 48 bytes; make an extent of what is
//   larger
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BYTES 48
#else
#define BYTES 49
#endif

struct Element {
  char byte[BYTES];
};

__global__ void kernel() { __shared__ tilepipe::Tile<Element, 16> tile; }
