// SPDX-License-Identifier: Apache-2.0
// Shared-memory swizzles written out from the PTX ISA's chapter on tensors ("Swizzling modes"), as
// tables of 16-byte chunks: which chunk of a row of the pattern a logical chunk goes to. The oracle
// of layout tests.
#pragma once

namespace tilepipe_test {

// 128 B: rows of 8 chunks, the pattern repeats after 8 rows (1024 B).
constexpr int swizzle_128[8][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6},
                                   {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4},
                                   {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
                                   {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};
// 64 B: rows of 4 chunks; two rows share a pattern, which repeats after 8 rows (512 B).
constexpr int swizzle_64[8][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 3, 2}, {1, 0, 3, 2},
                                  {2, 3, 0, 1}, {2, 3, 0, 1}, {3, 2, 1, 0}, {3, 2, 1, 0}};
// 32 B: rows of 2 chunks; four rows share a pattern, which repeats after 8 rows (256 B).
constexpr int swizzle_32[8][2] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 0}, {1, 0}, {1, 0}, {1, 0}};

// Byte offset in shared memory of byte `byte` of row `row`, in a tile of `rows` rows. Rows wider
// than the pattern lie in panels of `width` bytes, panel after panel; the pattern follows the
// address, not the row.
constexpr int swizzled_offset(int width, int rows, int row, int byte) {
  const int line = byte / width * rows + row;
  const int chunk = byte % width / 16;
  const int to = width == 128  ? swizzle_128[line % 8][chunk]
                 : width == 64 ? swizzle_64[line % 8][chunk]
                               : swizzle_32[line % 8][chunk];
  return line * width + to * 16 + byte % 16;
}

}  // namespace tilepipe_test
