// SPDX-License-Identifier: Apache-2.0
// tilepipe's streaming kernels with 64 FMAs an element.
#include "stream/ours.cuh"
#include "stream/tables.hpp"

namespace bench {

Kernels ours_w64() { return candidates<64>(); }

}  // namespace bench
