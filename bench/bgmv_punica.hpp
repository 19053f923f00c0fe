// SPDX-License-Identifier: Apache-2.0
// The peer of bgmv_bench: punica's kernel, if its tree is given.
#pragma once

namespace bench {

// fp16; sizes as in example::Bgmv.
struct BgmvProblem {
  void* y;
  const void* x;
  const void* w;
  const void* adapter;  // 64-bit
  int batch, in, out;
  long long layers, layer;
  float scale;
};

// Launches the kernel for 4096 -> 16, 4096 -> 64 or 11008 -> 16. False without -DPUNICA_DIR, and
// for other sizes.
bool punica_bgmv(const BgmvProblem& problem);

}  // namespace bench
