// SPDX-License-Identifier: Apache-2.0
// What this build was made from, so that a result names its sources.
#pragma once

namespace bench {

struct Stamp {
  const char* sources;  // a hash of include/ and bench/, as scripts/bench_results.py makes it
  const char* commit;
  const char* cccl;
  bool clean;  // nothing but bench/results/ differed from the commit
};
Stamp stamp();

}  // namespace bench
