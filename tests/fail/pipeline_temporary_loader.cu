// SPDX-License-Identifier: Apache-2.0
// A loader that ends before the pipeline.
// expect: matches the argument list
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define LOADER load
#else
#define LOADER \
  tilepipe::TileLoader<Tile> { in }
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, LOADER};
}
