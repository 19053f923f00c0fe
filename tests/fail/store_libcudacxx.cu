// SPDX-License-Identifier: Apache-2.0
// A store by libcu++, which has none.
// expect: tilepipe::TileStorer<Tile, Via<Path::libcudacxx>>: cuda::memcpy_async does not store
//   asynchronously; leave Via out to let the library choose
#include <tilepipe/tile_storer.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define OPTION tilepipe::Via<tilepipe::Path::bulk>
#else
#define OPTION tilepipe::Via<tilepipe::Path::libcudacxx>
#endif

__global__ void kernel(float* out) {
  tilepipe::TileStorer<tilepipe::Tile<float, 1024>, OPTION> store{out};
}
