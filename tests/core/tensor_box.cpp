// SPDX-License-Identifier: Apache-2.0
// Tests of the cut of tiles into tensor boxes: every element is brought once, to where the tile has
// it, by boxes that the hardware takes.
#include <tilepipe/core/loader_traits.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/swizzle_table.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;

// What the hardware does with the boxes: each dense at its place, rows of a swizzled one permuted
// by the table. Compared with the tile's own offsets.
template <class Tile>
void check_boxes(Tally& tally) {
  using Boxes = TensorBoxes<Tile>;
  constexpr int rank = Tile::rank;
  constexpr BoxGrid g = Boxes::grid;
  constexpr int units_in_row = Tile::cols * Boxes::units;
  STATIC_REQUIRE(Boxes::fits);
  std::vector<int> brought(static_cast<std::size_t>(Tile::storage_bytes), 0);
  int elements = 1;
  for (int d = 0; d < rank; ++d) {
    tally.expect(g.box[d] >= 1 && g.box[d] <= 256, "box", {d, g.box[d]});
    elements *= g.box[d];
  }
  tally.expect(g.box[rank - 1] * Boxes::unit % 16 == 0, "row of a box", {g.box[rank - 1]});
  tally.expect(elements * Boxes::unit == Boxes::bytes, "bytes", {Boxes::bytes});
  tally.expect(alignof(Tile) % 128 == 0, "alignment", {static_cast<long long>(alignof(Tile))});
  for (int i = 0; i < Boxes::boxes; ++i) {
    const int place = i * Boxes::bytes;
    tally.expect(Boxes::boxes == 1 || place % 128 == 0, "place", {i, place});
    for (int e = 0; e < elements; ++e) {
      int rest = e, row = 0, stride = 1, unit = 0;
      for (int d = rank - 1; d >= 0; --d) {
        const int at = Boxes::start(i, d) + rest % g.box[d];
        rest /= g.box[d];
        if (d == rank - 1) {
          unit = at;
        } else {
          row += at * stride;
          stride *= Tile::ExtentsType::extent(d);
        }
      }
      int to = place + e * Boxes::unit;
      if (Boxes::swizzle != 0)
        to = tilepipe_test::swizzled_offset(Boxes::swizzle, 1 << 20, to / Boxes::swizzle,
                                            to % Boxes::swizzle);
      const bool inside = row < Tile::rows && unit < units_in_row;
      tally.expect(inside && to == Tile::Layout::offset(row, unit * Boxes::unit, Tile::rows,
                                                        Tile::row_bytes),
                   "offset", {i, e, row, unit, to});
      if (inside) ++brought[static_cast<std::size_t>(to)];
    }
  }
  int missing = 0;
  for (int b = 0; b < Tile::storage_bytes; b += Boxes::unit)
    missing += brought[static_cast<std::size_t>(b)] == 1 ? 0 : 1;
  tally.expect(missing == 0, "each element once", {missing});
}

template <class T, int W, int... E>
using Swizzled = BasicTile<T, Extents<E...>, Swizzle<W>>;
struct Bytes3 {
  unsigned char b[3];
};
struct Bytes24 {
  double b[3];
};

template <class... Tiles>
void check_all() {
  Tally tally;
  (check_boxes<Tiles>(tally), ...);
  CHECK(tally.report() == "");
}

}  // namespace

TEST_CASE("Boxes bring every element once when tiles are plain, of every rank and size") {
  check_all<Tile<float, 32>, Tile<float, 256>, Tile<float, 4096>, Tile<unsigned char, 768>,
            Tile<double, 8, 2>, Tile<short, 128, 64>, Tile<float, 258, 32>, Tile<float, 3, 512>,
            Tile<float, 512, 16>, Tile<float, 2, 512, 4>, Tile<float, 2, 3, 288>,
            Tile<unsigned char, 600, 16>, Tile<float, 4, 8, 16>, Tile<float, 300, 2, 4>,
            Tile<float, 2, 2, 4, 8>, Tile<short, 2, 2, 2, 2, 8>, Tile<float, 1, 1, 1, 512, 4>>();
}

TEST_CASE("Boxes bring every element once when tiles are swizzled, in one panel or more") {
  check_all<Swizzled<short, 128, 8, 64>, Swizzled<short, 128, 128, 128>,
            Swizzled<float, 128, 3, 96>, Swizzled<short, 64, 8, 32>, Swizzled<short, 64, 6, 96>,
            Swizzled<float, 32, 4, 8>, Swizzled<unsigned char, 32, 4, 96>,
            Swizzled<double, 128, 512, 16>, Swizzled<float, 128, 2, 300, 32>,
            Swizzled<float, 64, 2, 3, 4, 16>, Swizzled<short, 32, 2, 2, 2, 2, 32>,
            Swizzled<unsigned char, 128, 1, 256>, SwizzledTile<short, 64>>();
}

TEST_CASE("Boxes bring every element once when an element is several of the map's") {
  check_all<Tile<Bytes3, 48>, Tile<Bytes3, 7, 256>, Tile<Bytes24, 3, 2>, Tile<Bytes24, 2, 128>>();
  CHECK(TensorBoxes<Tile<Bytes3, 48>>::units == 3);
  CHECK(TensorBoxes<Tile<Bytes24, 3, 2>>::unit == 8);
}

TEST_CASE("Tiles have no boxes when rows, gaps, size or the places of boxes do not allow them") {
  CHECK_FALSE(TensorBoxes<Tile<float, 8, 9>>::fits);                   // rows of 36 B
  CHECK_FALSE(TensorBoxes<PaddedTile<16, float, 8, 16>>::fits);        // gaps
  CHECK_FALSE(TensorBoxes<Tile<float, 16>>::fits);                     // 64 B, aligned to that
  CHECK_FALSE(TensorBoxes<Tile<unsigned char, 3, 272>>::fits);         // 17 x 16
  CHECK_FALSE(TensorBoxes<Tile<unsigned char, 262, 16>>::fits);        // 2 x 131 rows of 16 B
  CHECK_FALSE(TensorBoxes<Swizzled<unsigned char, 32, 3, 96>>::fits);  // panels of 96 B
  CHECK(TensorBoxes<Swizzled<unsigned char, 32, 3, 32>>::fits);        // one of them
}

TEST_CASE("cut_into_boxes agrees with a search when rows, columns and units sweep") {
  Tally tally;
  for (const int unit : {1, 2, 4, 8})
    for (int row = 16; row <= 4096; row += 16) {
      const int extent[5] = {1, row / unit};
      const BoxGrid g = cut_into_boxes(2, extent, row, unit, 0, 128);
      int widest = 0;  // of at most 256 elements, all equal, each at a multiple of 128 bytes
      for (int n = 1; n <= row / unit; ++n) {
        const int box = row / unit / n;
        if (row / unit % n != 0 || box > 256) continue;
        if (n == 1 || box * unit % 128 == 0) {
          widest = box;
          break;
        }
      }
      tally.expect(g.fits == (widest > 0), "fits", {unit, row});
      if (g.fits) tally.expect(g.box[1] == widest, "box", {unit, row, g.box[1], widest});
    }
  for (int rows = 1; rows <= 1024; ++rows) {
    const int extent[5] = {rows, 4};
    const BoxGrid g = cut_into_boxes(2, extent, 16, 4, 0, 128);
    int tallest = 0;
    for (int n = 1; n <= rows && tallest == 0; ++n)
      if (rows % n == 0 && rows / n <= 256 && (n == 1 || rows / n % 8 == 0)) tallest = rows / n;
    tally.expect(g.fits == (tallest > 0), "fits", {rows});
    if (g.fits) tally.expect(g.box[0] == tallest, "box", {rows, g.box[0], tallest});
  }
  CHECK(tally.report() == "");
}
