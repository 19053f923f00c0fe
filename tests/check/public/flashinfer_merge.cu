// SPDX-License-Identifier: Apache-2.0
// The merge of many partial attentions by FlashInfer: four stages of cp.async.
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdint>
#include <flashinfer/attention/cascade.cuh>

template __global__ void flashinfer::MergeStatesLargeNumIndexSetsKernel<8, 8, 16, 4, half, half>(
    half*, float*, half*, float*, uint32_t, uint32_t);
