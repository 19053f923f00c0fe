// SPDX-License-Identifier: Apache-2.0
// cp.async completed by groups.
#include "stream_float4.cuh"

extern "C" __global__ void groups(const float* in, float* out, int tiles) {
  stream_float4<tilepipe::Block<256>, tilepipe::CompleteBy<tilepipe::Completion::groups>,
                tilepipe::Via<tilepipe::Path::cp_async>>(in, out, tiles);
}
