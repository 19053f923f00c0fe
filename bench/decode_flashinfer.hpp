// SPDX-License-Identifier: Apache-2.0
// The peer of decode_bench: FlashInfer's kernel for a single request, if its headers are given.
#pragma once

#include <cstddef>
#include <functional>

namespace bench {

// fp16 rows of 128 values: heads of q and out, kv_len x kv_heads of k and v.
struct DecodeProblem {
  const void* q;
  const void* k;
  const void* v;
  void* out;
  int kv_len;
  int heads;
  int kv_heads;
  float scale;
};

// Bytes of the buffer that the kernel splits long sequences with.
constexpr std::size_t flashinfer_bytes = std::size_t{32} << 20;

// Empty without -DFLASHINFER_DIR.
std::function<void()> flashinfer_decode(const DecodeProblem& problem, void* buffer);

}  // namespace bench
