// SPDX-License-Identifier: Apache-2.0
// Attention of one token by FlashInfer: two stages of K and V by cp.async groups.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "as_functions.cuh"

#include <flashinfer/attention/decode.cuh>
#include <flashinfer/attention/default_decode_params.cuh>
#include <flashinfer/attention/variants.cuh>

#include "as_kernels.cuh"

using Params = flashinfer::SingleDecodeParams<half, half, half>;
using Variant = flashinfer::DefaultAttention<false, false, false, false>;

// Shapes as SingleDecodeWithKVCacheDispatched takes them for one head of 64.
extern "C" __global__ void decode(half* q, half* k, half* v, half* o, int length) {
  Params params(q, k, v, o, nullptr, length, 1, 1, flashinfer::QKVLayout::kNHD, 64, -1, 0.0f,
                0.125f, 1.0f, 1e4f);
  params.kv_chunk_size = length;
  flashinfer::SingleDecodeWithKVCacheKernel<flashinfer::PosEncodingMode::kNone, 2, 8, 8, 8, 1, 16,
                                            Variant>(params);
}
