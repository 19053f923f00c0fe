// SPDX-License-Identifier: Apache-2.0
// A swizzled tile of elements that would lie in two granules.
// expect: tilepipe::SwizzledTile<T, Extents...>: rows must be multiples of 16 bytes, of elements
//   that divide 16 bytes; use PaddedTile
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COUNT 4
#else
#define COUNT 3
#endif

struct Element {
  float value[COUNT];
};

__global__ void kernel() { __shared__ tilepipe::SwizzledTile<Element, 8, 32> tile; }
