// SPDX-License-Identifier: Apache-2.0
// The peers of gemm_bench: CUTLASS's sm_80 kernels, if its headers are given.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

// C = A * B, dense: row after row, or in B column after column.
struct Problem {
  const void* a;  // bf16, row-major, m x k
  const void* b;  // bf16, column-major, k x n
  void* c;        // bf16, row-major, m x n
  int m, n, k;
};

struct GemmPeer {
  std::string name;
  std::function<void()> launch;
};

// The multistage kernels of six tile shapes where all rows are multiples of 16 bytes; else the
// two-stage kernels of alignment 1, of three. Empty without -DCUTLASS_DIR.
std::vector<GemmPeer> cutlass_peers(const Problem& problem);
// Those, and three of the shapes with 2 to 32 slices along K, which a second kernel adds.
std::vector<GemmPeer> cutlass_split_peers(const Problem& problem);

}  // namespace bench
