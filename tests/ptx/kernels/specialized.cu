// SPDX-License-Identifier: Apache-2.0
// Bulk copies by a warp of its own.
#include "stream_float4.cuh"

extern "C" __global__ void specialized(const float* in, float* out, int tiles) {
  stream_float4<tilepipe::Specialized<32, 256>, tilepipe::Policy<>,
                tilepipe::Via<tilepipe::Path::bulk>>(in, out, tiles);
}
