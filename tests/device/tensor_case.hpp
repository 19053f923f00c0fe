// SPDX-License-Identifier: Apache-2.0
// Tests of tensor copies as plain data: a tile type's kernel, and how its argument is made. No
// CUDA, no Catch2.
#pragma once
#include <string>
#include <vector>

#include "support/launch.hpp"

namespace tilepipe_test {

// A source of up to five dimensions, slowest first; extents in elements, strides in bytes.
struct TensorView {
  DeviceAddress from;
  int rank = 1;
  long long extent[5] = {};
  long long stride[5] = {};
};

// Its kernel takes (source, starts, out, tiles): for each of `tiles` starts, `rank` coordinates, a
// tile is loaded with zeros outside, and its storage written to out as it lies in shared memory.
struct TensorCase {
  std::string name;
  const void* kernel = nullptr;
  Argument (*source)(const TensorView&) = nullptr;
  int element_bytes = 0;
  int rank = 1;
  int extent[5] = {};  // of the tile
  int swizzle = 0;     // bytes
  int threads = 0;
  std::size_t shared_bytes = 0;
};
const std::vector<TensorCase>& tensor_cases();

// One box that is `rows` x `cols` elements of 4 bytes for each block, which starts in row
// first_row + blockIdx.x, by hand: no tile, no pipeline. The kernel takes (map, first_row, col,
// bytes of a box, out).
const void* box_kernel();
// The map of a matrix of 4-byte elements in boxes of that many rows and columns; `always`: with the
// workaround for small tensors.
Argument box_map(DeviceAddress matrix, long long rows, long long cols, long long pitch_bytes,
                 int box_rows, int box_cols, bool always);

}  // namespace tilepipe_test
