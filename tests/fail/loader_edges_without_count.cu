// SPDX-License-Identifier: Apache-2.0
// Zeros at the edge of a source of unknown length.
// expect: tilepipe::TileLoader<Tile, ZeroFill or Skip> load{source}: edges need the number of
//   elements; pass {source, count}
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define SOURCE in, 1000
#else
#define SOURCE in
#endif

__global__ void kernel(const float* in) {
  tilepipe::TileLoader<tilepipe::Tile<float, 256>, tilepipe::ZeroFill> load{SOURCE};
}
