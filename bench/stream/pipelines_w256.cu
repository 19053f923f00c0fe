// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline's streaming kernels with 256 FMAs an element.
#include "stream/pipelines.cuh"
#include "stream/tables.hpp"

namespace bench {

Kernels pipelines_w256() { return pipelines<256>(); }

}  // namespace bench
