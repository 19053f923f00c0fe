// SPDX-License-Identifier: Apache-2.0
// Layouts of a tile in shared memory: the byte offset of (row, byte within the row).
#pragma once

#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

// A layout has: granule, the bytes that always stay together and aligned (copies are no wider);
// rows_contiguous, whether a row is one run of bytes; row_period, a number of rows of which each
// multiple moves an offset by that many pitches; alignment(bytes) of the storage; pitch, bytes and
// offset, all in bytes.

// Row after row, without gaps.
struct RowMajor {
  static constexpr int granule = 16;
  static constexpr bool rows_contiguous = true;
  static constexpr int row_period = 1;
  static TILEPIPE_HD constexpr int alignment(int storage_bytes) {
    int a = 16;  // 128 is what tensor copies and wide reads ask for; a tile below that takes no
                 // more than its size
    while (a < 128 && a < storage_bytes) a *= 2;
    return a;
  }
  static TILEPIPE_HD constexpr int pitch(int row_bytes) { return row_bytes; }
  static TILEPIPE_HD constexpr int bytes(int rows, int row_bytes) { return rows * row_bytes; }
  static TILEPIPE_HD constexpr int offset(int row, int byte, int /*rows*/, int row_bytes) {
    return row * row_bytes + byte;
  }
};

// PadBytes unused bytes behind each row, so that a column's elements fall into different banks.
template <int PadBytes>
struct Padded {
  static_assert(
      PadBytes > 0,
      "tilepipe::Padded<PadBytes>: PadBytes must be positive; use Tile for rows without gaps");
  static constexpr int granule = PadBytes % 16 == 0  ? 16
                                 : PadBytes % 8 == 0 ? 8
                                 : PadBytes % 4 == 0 ? 4
                                 : PadBytes % 2 == 0 ? 2
                                                     : 1;
  static constexpr bool rows_contiguous = true;
  static constexpr int row_period = 1;
  static TILEPIPE_HD constexpr int alignment(int storage_bytes) {
    return RowMajor::alignment(storage_bytes);
  }
  static TILEPIPE_HD constexpr int pitch(int row_bytes) { return row_bytes + PadBytes; }
  static TILEPIPE_HD constexpr int bytes(int rows, int row_bytes) {
    return rows * pitch(row_bytes);
  }
  static TILEPIPE_HD constexpr int offset(int row, int byte, int /*rows*/, int row_bytes) {
    return row * pitch(row_bytes) + byte;
  }
};

// The hardware's pattern: within 8 rows of Width bytes, the index of a 16-byte chunk is XORed with
// bits of the row (PTX ISA, "Tensors: Swizzling Modes"). Rows wider than Width are cut into panels
// of Width bytes, panel after panel, as tensor copies and wgmma descriptors do. The pattern follows
// the shared-memory address, so the storage is aligned to its period of 8 * Width bytes.
template <int Width>
struct Swizzle {
  static_assert(
      Width == 32 || Width == 64 || Width == 128,
      "tilepipe::Swizzle<Width>: Width must be 32, 64 or 128 bytes, as the hardware has it");
  static constexpr int width = Width;
  static constexpr int granule = 16;
  static constexpr bool rows_contiguous = false;
  static constexpr int row_period = 8;
  static TILEPIPE_HD constexpr int alignment(int /*storage_bytes*/) { return 8 * Width; }
  static TILEPIPE_HD constexpr int pitch(int /*row_bytes*/) { return Width; }
  static TILEPIPE_HD constexpr int bytes(int rows, int row_bytes) {
    return rows * ceil_div(row_bytes, Width) * Width;
  }
  static TILEPIPE_HD constexpr int offset(int row, int byte, int rows, int /*row_bytes*/) {
    const int linear = byte / Width * (rows * Width) + row * Width + byte % Width;
    return linear ^ ((linear >> 3) & (Width - 16));
  }
};

// Bytes of the widest swizzle that a row of row_bytes fills: 128, 64 or 32; 0 where none divides
// it.
TILEPIPE_HD constexpr int widest_swizzle(int row_bytes) {
  return row_bytes % 128 == 0 ? 128 : row_bytes % 64 == 0 ? 64 : row_bytes % 32 == 0 ? 32 : 0;
}

// 0 for layouts without a swizzle.
template <class Layout>
inline constexpr int swizzle_width = 0;
template <int Width>
inline constexpr int swizzle_width<Swizzle<Width>> = Width;

TILEPIPE_NAMESPACE_END
