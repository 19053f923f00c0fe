// SPDX-License-Identifier: Apache-2.0
// Example 14 for scripts/bench_torch.py, which times it beside torch: a shared library.
#include "rows.cuh"

// norm: 0 softmax, 1 RMS norm. Arrays of 32768 x 8192 bf16, and 8192 weights; the legacy stream.
extern "C" int tilepipe_normalize_rows(int norm, const void* in, const void* weight, void* out) {
  const auto* from = static_cast<const __nv_bfloat16*>(in);
  const auto* weights = static_cast<const __nv_bfloat16*>(weight);
  auto* to = static_cast<__nv_bfloat16*>(out);
  if (norm == 0)
    bench::launch_rows<example::Softmax>(from, weights, to);
  else
    bench::launch_rows<example::RmsNorm>(from, weights, to);
  return static_cast<int>(cudaGetLastError());
}
