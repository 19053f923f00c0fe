// SPDX-License-Identifier: Apache-2.0
// An element that copies by a function.
// expect: tilepipe::Tile<T, Extents...>: T must be trivially copyable: copies move bytes
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define COPY = default
#else
#define COPY \
  {}
#endif

struct Element {
  Element() = default;
  __device__ Element(const Element&) COPY;
  int value;
};

__global__ void kernel() { __shared__ tilepipe::Tile<Element, 16> tile; }
