// SPDX-License-Identifier: Apache-2.0
// tilepipe's streaming kernels with 16 FMAs an element.
#include "stream/ours.cuh"
#include "stream/tables.hpp"

namespace bench {

Kernels ours_w16() { return candidates<16>(); }

}  // namespace bench
