// SPDX-License-Identifier: Apache-2.0
// Kernels with arguments of their own, as plain data for the tests that launch them.
#pragma once
#include <string>
#include <vector>

#include "support/launch.hpp"
#include "support/pattern.hpp"

namespace tilepipe_test {

struct SpecialCase {
  std::string name;
  const void* kernel = nullptr;
  int threads = 0;
  int teams = 1;
  int stages = 0;
  std::size_t shared_bytes = 0;
  int rows = 0;  // of the tile, where the test needs them
  int cols = 0;
  int depth = 0;   // of a step of a product
  int blocks = 0;  // for what a kernel works on at a time, where that is several
  bool zero_fill = false;
  int in_bytes = 0;  // of an element, and of what becomes of it
  int out_bytes = 0;
  // Of kernels of mapped sources: their last argument, for `rows` x `cols` elements at an address.
  Argument (*tensor_source)(DeviceAddress, long long rows, long long cols) = nullptr;
};
std::vector<SpecialCase> special_cases(const std::string& group);
void add_special_case(const SpecialCase& added);

// ---- gathered rows: gather(in, rows, out, path, GatherShape) ----
struct GatherShape {
  long long source_rows;
  long long source_cols;
  long long pitch;
  long long col;  // first column of every tile
  long long tiles;
};

// ---- unlike tiles in one stage: mixed(MixedSources, out, path, MixedShape) ----
constexpr int mixed_rows = 6, mixed_cols = 16;            // float, zeros outside
constexpr int mixed_bytes = 80;                           // unsigned char, any alignment
constexpr int mixed_half_rows = 8, mixed_half_cols = 32;  // unsigned short, swizzled
constexpr int mixed_line = 256;                           // float, exact
struct MixedShape {
  long long tiles;
  long long float_rows, float_cols, float_pitch;
  long long byte_count;
  int passes;
};

// ---- a mapped tile and gathered rows on one full barrier: mixed_box(table, index, line_out,
// box_out, rows_out, path, MixedBoxShape, source of the boxes) ----
constexpr int box_line = 128;                   // unsigned char, exact
constexpr int box_rows = 8, box_cols = 32;      // unsigned short, swizzled, zeros outside
constexpr int table_rows = 5, table_cols = 20;  // float, gathered
struct MixedBoxShape {
  long long tiles;
  int rows, cols;     // of the boxes' matrix
  long long entries;  // rows of the table
};

// ---- output tiles of several tiles: persistent(in, sums, loaded, ahead, path, outputs) ----
constexpr int persistent_words = 64;  // unsigned, of a tile
constexpr int persistent_inner = 4;   // tiles of an output tile

// ---- sources beyond 2^31 elements: large_fill and large_copy ----
constexpr int large_tile = 1024;
constexpr int large_row = 64;
struct LargeShape {
  long long elements;
  long long rows, cols;
  long long first;  // element or row of tile 0
};

// ---- transform(in, out, tiles): what an element's byte b becomes is changed by this ----
TILEPIPE_TEST_HD inline unsigned char transform_key(int b) {
  return static_cast<unsigned char>(b * 37 + 90);
}

// ---- registers of roles: split_registers(in, out, splits, tiles) ----
constexpr int split_tile = 1024;    // unsigned
constexpr int split_threads = 256;  // that compute
constexpr int split_sums = 200;     // of each of them, more than the 168 registers of the launch
// A sum behind the next tile, from itself, a neighbour and the element at split_place.
TILEPIPE_TEST_HD inline unsigned split_next(unsigned sum, unsigned neighbour, unsigned x) {
  return sum * 3 + neighbour + x;
}
TILEPIPE_TEST_HD inline int split_place(int i, int rank) { return (i * 4 + rank) % split_tile; }

// ---- layouts: report_layout(words) writes one number each ----
std::vector<long long> host_layout();
std::vector<std::string> layout_names();
const void* layout_kernel();

}  // namespace tilepipe_test
