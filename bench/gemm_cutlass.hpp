// SPDX-License-Identifier: Apache-2.0
// The peer of gemm_bench: CUTLASS's sm_80 multistage kernels, if its headers are given.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Problem {
  const void* a;  // bf16, row-major
  const void* b;  // bf16, column-major
  void* c;        // bf16, row-major
  int size;       // of all three extents
};

struct GemmPeer {
  std::string name;
  std::function<void()> launch;
};

// Six tile shapes; empty without -DCUTLASS_DIR.
std::vector<GemmPeer> cutlass_peers(const Problem& problem);

}  // namespace bench
