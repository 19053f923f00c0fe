// SPDX-License-Identifier: Apache-2.0
// Shared-memory sizes: bytes of a ring, blocks that fit a multiprocessor, stages that fit a number
// of blocks.
#pragma once

#include "arch.hpp"
#include "ring.hpp"
#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

inline constexpr int max_block_threads = 1024;
inline constexpr int static_smem_bytes =
    48 * 1024;  // a block has this much without asking; beyond: host::prepare()

TILEPIPE_HD constexpr index_t round_up(index_t n, index_t unit) {
  return (n + unit - 1) / unit * unit;
}

// Shared memory is handed out in units of these bytes (cuda_occupancy.h,
// cudaOccSMemAllocationGranularity).
TILEPIPE_HD constexpr int smem_unit(int arch) { return arch_traits(arch).arch >= 80 ? 128 : 256; }

// Whether Ring<Stage, Stages, Parts> is a type.
TILEPIPE_HD constexpr bool is_ring_size(int stages, int parts) {
  return stages >= 1 && stages <= max_stages && parts >= 1 && parts <= max_parts &&
         (stages - 1) * parts <= 63;
}

// sizeof(Ring<Stage, Stages, Parts>) for a Stage of that size and alignment, without making the
// type.
TILEPIPE_HD constexpr index_t ring_bytes(index_t stage_bytes, int stage_alignment, int stages,
                                         int parts) {
  const index_t barriers =
      round_up(index_t{8} * stages * parts + index_t{8} * stages + index_t{4} * stages, 8);
  return round_up(round_up(stages * stage_bytes, 8) + barriers, max_of(stage_alignment, 8));
}
template <class Stage>
TILEPIPE_HD constexpr index_t ring_bytes(int stages, int parts = 1) {
  return ring_bytes(sizeof(Stage), alignof(Stage), stages, parts);
}

// Blocks of `threads` threads, with smem_bytes of dynamic and static shared memory together, that a
// multiprocessor of the architecture holds at a time; 0 where not one is possible. Registers may
// allow fewer: the compiler's and the driver's answer
// (cudaOccupancyMaxActiveBlocksPerMultiprocessor) counts them as well.
TILEPIPE_HD constexpr int blocks_that_fit(int arch, int threads, index_t smem_bytes) {
  const ArchTraits sm = arch_traits(arch);
  if (threads < 1 || threads > max_block_threads || smem_bytes < 0 ||
      smem_bytes > sm.smem_per_block)
    return 0;
  int blocks = min_of(sm.blocks_per_sm, sm.threads_per_sm / (ceil_div(threads, 32) * 32));
  const index_t bytes = round_up(smem_bytes + sm.smem_reserved, smem_unit(arch));
  if (bytes > 0) blocks = min_of(blocks, static_cast<int>(sm.smem_per_sm / bytes));
  return blocks;
}

// The largest number of stages with which `blocks` blocks fit a multiprocessor of the architecture,
// each with a ring and other_bytes of other shared memory; 0 where no stage fits.
TILEPIPE_HD constexpr int stages_that_fit(int arch, int blocks, int threads, index_t stage_bytes,
                                          int stage_alignment, int parts = 1,
                                          index_t other_bytes = 0) {
  int most = 0;
  for (int stages = 1; is_ring_size(stages, parts); ++stages) {
    const index_t ring = ring_bytes(stage_bytes, stage_alignment, stages, parts);
    if (blocks_that_fit(arch, threads, ring + other_bytes) >= blocks) most = stages;
  }
  return most;
}
template <class Stage>
TILEPIPE_HD constexpr int stages_that_fit(int arch, int blocks, int threads, int parts = 1,
                                          index_t other_bytes = 0) {
  return stages_that_fit(arch, blocks, threads, sizeof(Stage), alignof(Stage), parts, other_bytes);
}

TILEPIPE_NAMESPACE_END
