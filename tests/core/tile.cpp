// SPDX-License-Identifier: Apache-2.0
// Tests of tiles and layouts: every byte has one place, swizzles are the hardware's, sizes and
// alignments are what they are said to be.
#include <tilepipe/core/path.hpp>
#include <tilepipe/core/tile.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/swizzle_table.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;

// No two bytes of the tile share a place, all lie in the storage, and granules stay together.
template <class L>
void check_layout(Tally& tally, int rows, int row_bytes) {
  std::vector<char> taken(L::bytes(rows, row_bytes), 0);
  for (int row = 0; row < rows; ++row)
    for (int byte = 0; byte < row_bytes; ++byte) {
      const int at = L::offset(row, byte, rows, row_bytes);
      const bool inside = at >= 0 && at < static_cast<int>(taken.size());
      tally.expect(inside && taken[at] == 0, "one place each", {rows, row_bytes, row, byte});
      if (inside) taken[at] = 1;
      const int within = byte % L::granule;
      tally.expect(row_bytes % L::granule != 0 ||
                       (at % L::granule == within &&
                        at - within == L::offset(row, byte - within, rows, row_bytes)),
                   "granule", {rows, row_bytes, row, byte});
      if (L::rows_contiguous)
        tally.expect(at == L::offset(row, 0, rows, row_bytes) + byte, "contiguous",
                     {rows, row_bytes, row, byte});
    }
}

template <int Width>
void check_swizzle(Tally& tally) {
  for (int rows = 1; rows <= 20; ++rows)
    for (int row_bytes = Width; row_bytes <= 4 * Width; row_bytes += 16) {
      check_layout<Swizzle<Width>>(tally, rows, row_bytes);
      for (int row = 0; row < rows; ++row)
        for (int byte = 0; byte < row_bytes; ++byte)
          tally.expect(Swizzle<Width>::offset(row, byte, rows, row_bytes) ==
                           tilepipe_test::swizzled_offset(Width, rows, row, byte),
                       "pattern", {Width, rows, row_bytes, row, byte});
    }
}

template <class T>
void check_tile(Tally& tally) {
  static_assert(__is_trivial(T) && __is_standard_layout(T), "a tile lies in shared memory");
  static_assert(sizeof(T) % alignof(T) == 0, "");
  static T tile;
  const auto* start = reinterpret_cast<unsigned char*>(&tile);
  tally.expect(tile.storage == start, "storage comes first");
  tally.expect(T::rows * T::cols == T::size && T::row_bytes == T::cols * int{sizeof(tile(0, 0))},
               "extents", {T::rows, T::cols});
  for (int row = 0; row < T::rows; ++row)
    for (int col = 0; col < T::cols; ++col) {
      const auto* at = reinterpret_cast<unsigned char*>(&tile(row, col));
      const T& constant = tile;
      tally.expect(
          at == start + T::byte_offset(row, col) && at + sizeof(tile(0, 0)) <= start + sizeof(T),
          "element", {row, col});
      tally.expect(&tile[row * T::cols + col] == &tile(row, col) &&
                       &constant(row, col) == &tile(row, col) &&
                       &constant[row * T::cols + col] == &tile(row, col),
                   "index", {row, col});
      tally.expect(
          reinterpret_cast<unsigned char*>(&tile.template as<unsigned char>(row, col)) == at, "as",
          {row, col});
    }
}

struct Twelve {
  float value[3];
};
struct FortyEight {
  double value[6];
};

}  // namespace

TEST_CASE("Layouts give every byte one place when rows and row lengths sweep") {
  Tally tally;
  for (int rows = 1; rows <= 12; ++rows)
    for (int row_bytes = 1; row_bytes <= 70; ++row_bytes) {
      check_layout<RowMajor>(tally, rows, row_bytes);
      check_layout<Padded<1>>(tally, rows, row_bytes);
      check_layout<Padded<2>>(tally, rows, row_bytes);
      check_layout<Padded<4>>(tally, rows, row_bytes);
      check_layout<Padded<8>>(tally, rows, row_bytes);
      check_layout<Padded<16>>(tally, rows, row_bytes);
      check_layout<Padded<24>>(tally, rows, row_bytes);
    }
  CHECK(tally.report() == "");
}

TEST_CASE("Swizzle is the hardware's pattern when rows, widths and panels sweep") {
  Tally tally;
  check_swizzle<32>(tally);
  check_swizzle<64>(tally);
  check_swizzle<128>(tally);
  CHECK(tally.report() == "");
  CHECK(Swizzle<32>::alignment(1) == 256);
  CHECK(Swizzle<64>::alignment(1) == 512);
  CHECK(Swizzle<128>::alignment(1) == 1024);
}

TEST_CASE("Tile elements lie where byte_offset says when types and layouts differ") {
  Tally tally;
  check_tile<Tile<float, 1024>>(tally);
  check_tile<Tile<unsigned char, 1>>(tally);
  check_tile<Tile<unsigned char, 3, 5>>(tally);
  check_tile<Tile<short, 2, 3, 8>>(tally);
  check_tile<Tile<short, 2, 2, 2, 2, 8>>(tally);
  check_tile<Tile<Twelve, 5, 7>>(tally);
  check_tile<Tile<FortyEight, 3, 2>>(tally);
  check_tile<PaddedTile<4, float, 5, 32>>(tally);
  check_tile<PaddedTile<16, short, 8, 24>>(tally);
  check_tile<SwizzledTile<short, 12, 64>>(tally);
  check_tile<SwizzledTile<float, 12, 64>>(tally);
  check_tile<SwizzledTile<double, 9, 4>>(tally);
  check_tile<BasicTile<int, Extents<4, 32>, Swizzle<32>>>(tally);
  CHECK(tally.report() == "");
}

TEST_CASE("Tile size and alignment follow from the layout when it is the only difference") {
  CHECK(sizeof(Tile<float, 1024>) == 4096);
  CHECK(alignof(Tile<float, 1024>) == 128);
  CHECK(sizeof(Tile<unsigned char, 1>) == 16);
  CHECK(alignof(Tile<unsigned char, 1>) == 16);
  CHECK(sizeof(Tile<unsigned char, 17>) == 32);
  CHECK(alignof(Tile<unsigned char, 33>) == 64);
  CHECK(alignof(Tile<unsigned char, 64>) == 64);
  CHECK(alignof(Tile<unsigned char, 65>) == 128);
  CHECK(sizeof(PaddedTile<4, float, 32, 32>) == 32 * 132);
  CHECK(alignof(PaddedTile<4, float, 32, 32>) == 128);
  CHECK(sizeof(SwizzledTile<short, 128, 32>) == 8192);
  CHECK(alignof(SwizzledTile<short, 128, 32>) == 512);
  CHECK(alignof(SwizzledTile<short, 128, 64>) == 1024);
  CHECK(alignof(SwizzledTile<short, 128, 16>) == 256);
  CHECK(sizeof(SwizzledTile<short, 3, 64>) == 1024);  // 384 bytes, rounded up to the period
  CHECK(Tile<short, 2, 3, 8>::rows == 6);
  CHECK(Tile<short, 2, 3, 8>::rank == 3);
  CHECK(Extents<2, 3, 8>::extent(1) == 3);
  // 40 columns of 4 bytes are panels of 32 bytes; 12 columns cannot be swizzled by 32.
  CHECK(swizzle_width<SwizzledTile<float, 8, 40>::Layout> == 32);
  for (int bytes = 0; bytes <= 512; ++bytes) {
    const int widest = widest_swizzle(bytes);
    CHECK((widest == 0 ? bytes % 32 != 0 : bytes % widest == 0));
    CHECK((widest == 128 || widest == 0 || bytes % (2 * widest) != 0));
  }
}

TEST_CASE("shape_of tells gaps and swizzles apart when a path asks") {
  constexpr TileShape plain = shape_of<Tile<short, 4, 32>>();
  CHECK((plain.rows == 4 && plain.row_bytes == 64 && plain.granule == 16 && plain.rows_contiguous &&
         plain.gapless));
  constexpr TileShape padded = shape_of<PaddedTile<4, short, 4, 32>>();
  CHECK((padded.granule == 4 && padded.rows_contiguous && !padded.gapless));
  constexpr TileShape swizzled = shape_of<SwizzledTile<short, 4, 32>>();
  CHECK((swizzled.granule == 16 && !swizzled.rows_contiguous && !swizzled.gapless));
}
