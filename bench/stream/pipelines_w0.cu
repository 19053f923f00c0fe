// SPDX-License-Identifier: Apache-2.0
// cuda::pipeline's streaming kernels with 0 FMAs an element.
#include "stream/pipelines.cuh"
#include "stream/tables.hpp"

namespace bench {

Kernels pipelines_w0() { return pipelines<0>(); }

}  // namespace bench
