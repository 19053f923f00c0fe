// SPDX-License-Identifier: Apache-2.0
// Edges of a destination whose length is not known.
// expect: tilepipe::TileStorer<Tile, Skip> store{to}: edges need the number of elements; pass {to,
//   count}
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Exact
#else
#define OPTION tilepipe::Skip
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::Tile<float, 1024>, OPTION> store{out};
}
