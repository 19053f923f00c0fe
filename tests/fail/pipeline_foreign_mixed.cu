// SPDX-License-Identifier: Apache-2.0
// cuda::memcpy_async beside a path of the library.
// expect: tilepipe::Pipeline{..., loaders...}: Via<Path::libcudacxx> does not mix with the
//   library's own paths in one pipeline; use it on every loader or on none
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PATH cp_async
#else
#define PATH libcudacxx
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile a;
  Tile b;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::cp_async>> load_a{in};
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::PATH>> load_b{in};
  tilepipe::Pipeline pipe{ring, load_a, load_b};
}
