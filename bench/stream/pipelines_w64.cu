// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline's streaming kernels with 64 FMAs an element.
#include "stream/pipelines.cuh"
#include "stream/tables.hpp"

namespace bench {

Kernels pipelines_w64() { return pipelines<64>(); }

}  // namespace bench
