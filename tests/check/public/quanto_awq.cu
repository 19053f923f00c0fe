// SPDX-License-Identifier: Apache-2.0
// Products with weights of four bits as optimum-quanto ships them from AWQ: by the pipeline
// primitives.
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include "../dequantize.cuh"
#include "semaphore.h"
#include "theirs.inc"

template __global__ void gemm_w4a16_T1<16, 128, 128, 16, 32, 64, 4, 128, 1>(half*, half*, half*,
                                                                            half*, half*, int*, int,
                                                                            int, int);
template __global__ void gemm_w4a16_T2<64, 128, 64, 64, 32, 64, 4, 128>(half*, half*, half*, half*,
                                                                        half*, int, int, int);
