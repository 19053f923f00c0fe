// SPDX-License-Identifier: Apache-2.0
// The register path.
#include "stream_float4.cuh"

extern "C" __global__ void registers(const float* in, float* out, int tiles) {
  stream_float4<tilepipe::Block<256>, tilepipe::Policy<>, tilepipe::Via<tilepipe::Path::registers>>(
      in, out, tiles);
}
