// SPDX-License-Identifier: Apache-2.0
// Launches of example 14, whose kernel file is timed here as it stands: rows of 8192 bf16.
#pragma once

#include <tilepipe/host/launch.hpp>

#include "14_row_softmax.cuh"

namespace bench {

inline constexpr int row_count = 32768, row_cols = 8192;

// in, weight and out as the kernel takes them, dense.
template <class Norm>
void launch_rows(const __nv_bfloat16* in, const __nv_bfloat16* weight, __nv_bfloat16* out) {
  constexpr int threads = 256, stages = 2, slots = 2, per_block = 2;
  const auto kernel =
      example::normalize_rows<Norm, row_cols, threads, stages, slots, tilepipe::Aligned<16>>;
  constexpr std::size_t bytes = sizeof(example::RowShared<row_cols, stages, slots>);
  static const bool prepared = [&] {
    tilepipe::host::prepare(kernel, static_cast<long long>(bytes));
    return true;
  }();
  static_cast<void>(prepared);
  kernel<<<row_count / per_block, threads, bytes>>>(
      {in, weight, out, row_count, row_cols, row_cols, row_cols, 1e-6f, per_block});
}

}  // namespace bench
