// SPDX-License-Identifier: Apache-2.0
// Tests of the architectures' traits and of what fits their multiprocessors: against tables
// written out from the CUDA programming guide ("Technical Specifications per Compute Capability").
#include <tilepipe/core/arch.hpp>
#include <tilepipe/core/shared_memory.hpp>
#include <tilepipe/core/tile.hpp>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;

struct Row {
  int arch;
  int traits_of;
  bool cp_async, mbarrier, bulk;
  int sm_kib, block_kib, reserved;
  int threads, blocks;
};
constexpr Row table[] = {
    {0, 0, false, false, false, 0, 0, 0, 0, 0},
    {60, 0, false, false, false, 0, 0, 0, 0, 0},
    {70, 70, false, false, false, 96, 96, 0, 2048, 32},
    {72, 70, false, false, false, 96, 96, 0, 2048, 32},
    {75, 75, false, false, false, 64, 64, 0, 1024, 16},
    {80, 80, true, true, false, 164, 163, 1024, 2048, 32},
    {86, 86, true, true, false, 100, 99, 1024, 1536, 16},
    {87, 87, true, true, false, 164, 163, 1024, 1536, 16},
    {89, 89, true, true, false, 100, 99, 1024, 1536, 24},
    {90, 90, true, true, true, 228, 227, 1024, 2048, 32},
    {100, 100, true, true, true, 228, 227, 1024, 2048, 32},
    {103, 100, true, true, true, 228, 227, 1024, 2048, 32},
    {120, 120, true, true, true, 100, 99, 1024, 1536, 24},
    {121, 120, true, true, true, 100, 99, 1024, 1536, 24},
};

// Blocks by counting up: as many as threads, blocks and shared memory allow.
int count_blocks(const Row& row, int threads, long long smem) {
  if (threads < 1 || threads > 1024 || smem < 0 || smem > row.block_kib * 1024ll) return 0;
  const int warps = (threads + 31) / 32;
  const long long unit = row.arch >= 80 ? 128 : 256;
  int blocks = 0;
  long long used = 0;
  for (;;) {
    long long bytes = 0;
    while (bytes < smem + row.reserved) bytes += unit;
    used += bytes;
    if (blocks + 1 > row.blocks || (blocks + 1) * warps * 32 > row.threads ||
        used > row.sm_kib * 1024ll)
      return blocks;
    ++blocks;
  }
}

struct alignas(1024) Stage {
  Tile<float, 4096> a;  // 16 KiB
};

}  // namespace

TEST_CASE("arch_traits agrees with the guide when the architecture is listed, and inherits else") {
  for (const Row& row : table) {
    CAPTURE(row.arch);
    const ArchTraits traits = arch_traits(row.arch);
    CHECK(traits.arch == row.traits_of);
    CHECK(traits.cp_async == row.cp_async);
    CHECK(traits.mbarrier == row.mbarrier);
    CHECK(traits.bulk == row.bulk);
    CHECK(traits.smem_per_sm == row.sm_kib * 1024);
    CHECK(traits.smem_per_block == row.block_kib * 1024);
    CHECK(traits.smem_reserved == row.reserved);
    CHECK(traits.threads_per_sm == row.threads);
    CHECK(traits.blocks_per_sm == row.blocks);
  }
}

TEST_CASE("The host pass has no architecture when g++ compiles") { CHECK(this_arch == 0); }

TEST_CASE("blocks_that_fit agrees with counting up when threads and bytes sweep") {
  Tally tally;
  for (const Row& row : table) {
    if (row.traits_of == 0) continue;
    for (const int threads :
         {-1, 0, 1, 31, 32, 33, 64, 96, 128, 129, 256, 384, 512, 513, 768, 1024, 1025})
      for (long long smem = -1; smem <= 230 * 1024; smem += smem < 2050 ? 1 : 511)
        tally.expect(blocks_that_fit(row.arch, threads, smem) == count_blocks(row, threads, smem),
                     "blocks", {row.arch, threads, smem});
  }
  CHECK(tally.report() == "");
  CHECK(blocks_that_fit(0, 32, 0) == 0);
}

TEST_CASE("blocks_that_fit knows the limits by heart when a block asks for round numbers") {
  CHECK(blocks_that_fit(90, 256, 227 * 1024) == 1);
  CHECK(blocks_that_fit(90, 256, 227 * 1024 + 1) == 0);
  CHECK(blocks_that_fit(90, 256, 113 * 1024) == 2);  // (113 + 1) * 2 = 228 KiB
  CHECK(blocks_that_fit(90, 256, 113 * 1024 + 1) == 1);
  CHECK(blocks_that_fit(90, 256, 0) == 8);
  CHECK(blocks_that_fit(90, 1, 0) == 32);
  CHECK(blocks_that_fit(80, 256, 81 * 1024) == 2);
  CHECK(blocks_that_fit(75, 256, 32 * 1024) == 2);  // nothing is reserved
  CHECK(blocks_that_fit(75, 256, 32 * 1024 + 1) == 1);
  CHECK(blocks_that_fit(75, 1024, 0) == 1);
  CHECK(blocks_that_fit(86, 1024, 0) == 1);
  CHECK(blocks_that_fit(120, 512, 32 * 1024) == 3);
  CHECK(blocks_that_fit(86, 64, 6784) == 13);  // 61 units of 128 B each, 30.5 of 256 B
  STATIC_REQUIRE(blocks_that_fit(89, 128, 49 * 1024) == 2);
}

TEST_CASE("stages_that_fit is the largest that fits when blocks and other memory sweep") {
  Tally tally;
  for (const Row& row : table)
    for (int blocks = 1; blocks <= 4; ++blocks)
      for (int parts = 1; parts <= 8; ++parts)
        for (const long long other : {0ll, 1ll, 1024ll, 20000ll, 300000ll}) {
          const int stages = stages_that_fit<Stage>(row.arch, blocks, 256, parts, other);
          const auto fits = [&](int s) {
            return row.traits_of != 0 &&
                   count_blocks(row, 256, ring_bytes<Stage>(s, parts) + other) >= blocks;
          };
          tally.expect(stages == 0 || fits(stages), "fits", {row.arch, blocks, parts, other});
          tally.expect(!is_ring_size(stages + 1, parts) || !fits(stages + 1), "is the largest",
                       {row.arch, blocks, parts, other});
        }
  CHECK(tally.report() == "");
  CHECK(stages_that_fit<Stage>(90, 1, 256) == 14);
  CHECK(stages_that_fit<Stage>(90, 2, 256) == 7);  // 7 * 16 KiB + 1 KiB
  CHECK(stages_that_fit<Stage>(75, 1, 256) == 3);  // 3 * 16 KiB + 1 KiB
  CHECK(stages_that_fit<Stage>(75, 1, 256, 1, 16 * 1024) == 2);
  CHECK(stages_that_fit<Stage>(75, 8, 256) == 0);
  CHECK(stages_that_fit(90, 1, 256, 16, 16) == 16);    // the ring's own limit
  CHECK(stages_that_fit(90, 1, 256, 16, 16, 8) == 8);  // (Stages - 1) * 8 <= 63
}
