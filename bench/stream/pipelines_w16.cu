// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline's streaming kernels with 16 FMAs an element.
#include "stream/pipelines.cuh"
#include "stream/tables.hpp"

namespace bench {

Kernels pipelines_w16() { return pipelines<16>(); }

}  // namespace bench
