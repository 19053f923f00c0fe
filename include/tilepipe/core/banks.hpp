// SPDX-License-Identifier: Apache-2.0
// Bank counts: how many wavefronts a warp's access to a tile in shared memory takes.
#pragma once

#include "copy_plan.hpp"
#include "layout.hpp"
#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

// Shared memory has 32 banks of 4 bytes, and serves one word of each in a wavefront; lanes that
// want the same word share it. Accesses of 8 bytes go half-warp by half-warp, those of 16 bytes
// quarter-warp by quarter-warp: 32 words at most. Reads and writes count alike.
inline constexpr int warp_lanes = 32;
inline constexpr int smem_banks = 32;
inline constexpr int bank_bytes = 4;

// One access of a warp: byte offsets that are multiples of the width; a lane at no_access takes no
// part. Offsets may be relative to any 16-byte aligned base: that only turns the banks round.
inline constexpr int no_access = -1;
struct WarpAccess {
  int width = 4;  // bytes a lane: 1, 2, 4, 8, 16
  int offset[warp_lanes] = {};
};

struct BankCount {
  int wavefronts = 0;
  int ideal = 0;  // wavefronts without conflicts: one a phase in which a lane takes part
  int ways = 0;   // wavefronts of the worst phase; 1 is free of conflicts

  TILEPIPE_HD constexpr void add(BankCount other) {
    wavefronts += other.wavefronts;
    ideal += other.ideal;
    ways = max_of(ways, other.ways);
  }
};

TILEPIPE_HD constexpr BankCount count_phase(const WarpAccess& access, int first_lane, int lanes) {
  int word[smem_banks] = {};
  int words = 0;
  int words_of_bank[smem_banks] = {};
  int most = 0;
  for (int lane = first_lane; lane < first_lane + lanes; ++lane) {
    if (access.offset[lane] == no_access) continue;
    const int first = access.offset[lane] / bank_bytes;
    for (int w = first; w < first + ceil_div(access.width, bank_bytes); ++w) {
      bool seen = false;
      for (int i = 0; i < words; ++i) seen = seen || word[i] == w;
      if (seen) continue;
      word[words++] = w;
      most = max_of(most, ++words_of_bank[w % smem_banks]);
    }
  }
  return {most, most > 0 ? 1 : 0, most};
}

TILEPIPE_HD constexpr BankCount count_banks(const WarpAccess& access) {
  const int lanes = access.width == 16  ? warp_lanes / 4
                    : access.width == 8 ? warp_lanes / 2
                                        : warp_lanes;
  BankCount sum{};
  for (int lane = 0; lane < warp_lanes; lane += lanes) sum.add(count_phase(access, lane, lanes));
  return sum;
}

template <int Width>
inline constexpr bool is_access_width =
    Width == 1 || Width == 2 || Width == 4 || Width == 8 || Width == 16;

template <class Tile>
TILEPIPE_HD constexpr int storage_offset(int row, int byte) {
  return Tile::Layout::offset(row, byte, Tile::rows, Tile::row_bytes);
}

// One matrix of an ldmatrix: 8 rows of 16 bytes from (row, col) on.
template <class Tile>
TILEPIPE_HD constexpr BankCount ldmatrix_banks(int row, int col) {
  WarpAccess access{16, {}};
  for (int lane = 0; lane < warp_lanes; ++lane)
    access.offset[lane] = lane < 8 ? Tile::byte_offset(row + lane, col) : no_access;
  return count_banks(access);
}

// The sum of all matrices of the tile: `ways` is that of the worst.
template <class Tile>
TILEPIPE_HD constexpr BankCount ldmatrix_banks() {
  constexpr int matrix_cols = 16 / static_cast<int>(sizeof(typename Tile::value_type));
  BankCount sum{};
  for (int row = 0; row + 8 <= Tile::rows; row += 8)
    for (int col = 0; col + matrix_cols <= Tile::cols; col += matrix_cols)
      sum.add(ldmatrix_banks<Tile>(row, col));
  return sum;
}

// Neighbouring lanes access neighbouring runs of Width bytes of one row, from (row, col) on to at
// most the row's end.
template <class Tile, int Width = static_cast<int>(sizeof(typename Tile::value_type))>
TILEPIPE_HD constexpr BankCount row_banks(int row, int col) {
  static_assert(is_access_width<Width>,
                "tilepipe::row_banks<Tile, Width>: Width must be 1, 2, 4, 8 or 16");
  WarpAccess access{Width, {}};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const int byte = col * static_cast<int>(sizeof(typename Tile::value_type)) + lane * Width;
    access.offset[lane] =
        byte + Width <= Tile::row_bytes ? storage_offset<Tile>(row, byte) : no_access;
  }
  return count_banks(access);
}

// Neighbouring lanes access Width bytes of neighbouring rows, from (row, col) down to at most the
// last row.
template <class Tile, int Width = static_cast<int>(sizeof(typename Tile::value_type))>
TILEPIPE_HD constexpr BankCount column_banks(int row, int col) {
  static_assert(is_access_width<Width>,
                "tilepipe::column_banks<Tile, Width>: Width must be 1, 2, 4, 8 or 16");
  WarpAccess access{Width, {}};
  for (int lane = 0; lane < warp_lanes; ++lane)
    access.offset[lane] = row + lane < Tile::rows ? Tile::byte_offset(row + lane, col) : no_access;
  return count_banks(access);
}

// The writes of one warp in one step of a copy of the tile in chunks of Width bytes by `threads`
// threads.
template <class Tile, int Width>
TILEPIPE_HD constexpr BankCount copy_banks(int threads, int warp, int step) {
  static_assert(is_access_width<Width>,
                "tilepipe::copy_banks<Tile, Width>: Width must be 1, 2, 4, 8 or 16");
  using Plan = ChunkPlan<Tile::rows, Tile::row_bytes, Width>;
  WarpAccess access{Width, {}};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const ThreadGroup<0> group{warp * warp_lanes + lane, threads};
    access.offset[lane] = no_access;
    if (group.rank >= threads || !Plan::has(group, step)) continue;
    const auto chunk = Plan::chunk(group, step);
    access.offset[lane] = storage_offset<Tile>(chunk.row, chunk.start());
  }
  return count_banks(access);
}

// The sum of all writes of the copy.
template <class Tile, int Width>
TILEPIPE_HD constexpr BankCount copy_banks(int threads) {
  BankCount sum{};
  for (int step = 0; step < ChunkPlan<Tile::rows, Tile::row_bytes, Width>::steps(threads); ++step)
    for (int warp = 0; warp < ceil_div(threads, warp_lanes); ++warp)
      sum.add(copy_banks<Tile, Width>(threads, warp, step));
  return sum;
}

TILEPIPE_NAMESPACE_END
