// SPDX-License-Identifier: Apache-2.0
// A pipeline without loaders.
// expect: tilepipe::Pipeline pipe{ring}: a pipeline needs its loaders; name them: Pipeline
//   pipe{ring, load_a, load_b}
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define LOADERS , load
#else
#define LOADERS
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring LOADERS};
}
