// SPDX-License-Identifier: Apache-2.0
// The stamp that the build writes before it compiles.
#include "stamp.hpp"

#include "bench_stamp.hpp"

namespace bench {

Stamp stamp() {
  return {TILEPIPE_BENCH_SOURCES, TILEPIPE_BENCH_COMMIT, TILEPIPE_BENCH_CCCL, TILEPIPE_BENCH_CLEAN};
}

}  // namespace bench
