// SPDX-License-Identifier: Apache-2.0
// A store of rows and columns by one coordinate.
// expect: tilepipe::StorePipeline::store(at...): a store takes one coordinate for each extent of
//   the tile, slowest first; pass as many numbers
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define AT 0, 0
#else
#define AT 0
#endif

__global__ void kernel(float* out) {
  __shared__ tilepipe::StoreRing<tilepipe::Tile<float, 8, 64>, 2> ring;
  tilepipe::TileStorer<tilepipe::Tile<float, 8, 64>> store{out, 64, 64, 64};
  tilepipe::StorePipeline stores{ring, store};
  stores.acquire()[threadIdx.x] = 1;
  stores.store(AT);
}
