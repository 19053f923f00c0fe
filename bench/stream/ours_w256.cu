// SPDX-License-Identifier: Apache-2.0
// tilepipe's streaming kernels with 256 FMAs an element.
#include "stream/ours.cuh"
#include "stream/tables.hpp"

namespace bench {

Kernels ours_w256() { return candidates<256>(); }

}  // namespace bench
