// SPDX-License-Identifier: Apache-2.0
// Marlin, a product with weights of four bits, as optimum-quanto ships it: four stages of cp.async.
#include <cuda_fp16.h>

#include <cstdint>
#include "theirs.inc"

template __global__ void Marlin<256, 1, 8, 8, 4, 8>(const int4*, const int4*, int4*, const int4*,
                                                    const int4*, int, int, int, int*);
