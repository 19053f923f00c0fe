// SPDX-License-Identifier: Apache-2.0
// Bulk copies.
#include "stream_float4.cuh"

extern "C" __global__ void bulk(const float* in, float* out, int tiles) {
  stream_float4<tilepipe::Block<256>, tilepipe::Policy<>, tilepipe::Via<tilepipe::Path::bulk>>(
      in, out, tiles);
}
