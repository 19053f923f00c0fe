// SPDX-License-Identifier: Apache-2.0
// libcu++ behind the verbs, without the header that brings it.
// expect: tilepipe::TileLoader<Tile, Via<Path::libcudacxx>>: the path is defined in another
//   header; include <tilepipe/interop/libcudacxx.cuh>
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define PATH registers
#else
#define PATH libcudacxx
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile x;
};

__global__ void kernel(const float* in) {
  __shared__ tilepipe::Ring<Stage, 2> ring;
  tilepipe::TileLoader<Tile, tilepipe::Via<tilepipe::Path::PATH>> load{in};
  tilepipe::Pipeline pipe{ring, load};
  pipe.drain();
}
