// SPDX-License-Identifier: Apache-2.0
// Tensor boxes: how a tile is cut into the boxes that one tensor copy each brings.
#pragma once

#include "std.hpp"
#include "tile.hpp"

TILEPIPE_NAMESPACE_BEGIN

inline constexpr int max_box_extent = 256;        // elements of a box in one dimension
inline constexpr int few_boxes = 4;               // of a tile, which one thread issues
inline constexpr int tensor_box_alignment = 128;  // of a box in shared memory, bytes

// Bytes of the map's element for a T: the widest of 8, 4, 2 and 1 that it is made of. A T of more
// is several elements of the map in a row.
TILEPIPE_HD constexpr int tensor_unit(int element_bytes) {
  int unit = 8;
  while (element_bytes % unit != 0) unit /= 2;
  return unit;
}

// The largest divisor of n, at most 256, that makes `bytes` a multiple of `alignment`; 0: there is
// none.
TILEPIPE_HD constexpr int box_divisor(int n, int bytes, int alignment) {
  for (int d = min_of(n, max_box_extent); d > 0; --d)
    if (n % d == 0 && d * bytes % alignment == 0) return d;
  return 0;
}

// A tile in boxes: extents of one, and how many of them lie along each dimension, slowest first.
struct BoxGrid {
  int box[5] = {};  // elements of the map
  int count[5] = {};
  int bytes = 0;     // of a box
  int boxes = 1;     // in all
  bool fits = true;  // a row is cut into multiples of 16 bytes, and each box lies at 128

  // A dimension of n elements in boxes of `extent`; of 0: it has no such boxes.
  TILEPIPE_HD constexpr void cut(int dimension, int n, int extent) {
    fits = fits && extent > 0;
    box[dimension] = max_of(extent, 1);
    count[dimension] = n / box[dimension];
    bytes *= box[dimension];
    boxes *= count[dimension];
  }
};

// A box is dense in shared memory. So a dimension may be cut where all faster ones are whole, and
// the slower ones then have extent 1; the panels of a swizzled tile are whole rows to their boxes.
TILEPIPE_HD constexpr BoxGrid cut_into_boxes(int rank, const int (&extent)[5], int row_bytes,
                                             int unit, int swizzle, int alignment) {
  BoxGrid g;
  const int row = row_bytes / unit;
  int rows = 1;
  for (int d = 0; d + 1 < rank; ++d) rows *= extent[d];
  g.fits = row_bytes % 16 == 0 && alignment >= tensor_box_alignment;
  g.bytes = unit;
  g.cut(rank - 1, row,
        swizzle != 0            ? swizzle / unit
        : row <= max_box_extent ? row
                                : box_divisor(row, unit, tensor_box_alignment));
  bool cut = swizzle == 0 && g.count[rank - 1] > 1;
  if (swizzle != 0 && g.count[rank - 1] > 1)
    g.fits = g.fits && rows * swizzle % tensor_box_alignment == 0;
  for (int d = rank - 2; d >= 0; --d) {
    g.cut(d, extent[d],
          cut                           ? 1
          : extent[d] <= max_box_extent ? extent[d]
                                        : box_divisor(extent[d], g.bytes, tensor_box_alignment));
    cut = cut || g.count[d] > 1;
  }
  return g;
}

// The boxes of a tile type, in the order in which they lie in its storage.
template <class Tile>
struct TensorBoxes {
  using T = typename Tile::value_type;
  static constexpr int rank = Tile::rank;
  static constexpr int swizzle = swizzle_width<typename Tile::Layout>;
  static constexpr int unit = tensor_unit(static_cast<int>(sizeof(T)));  // bytes
  static constexpr int units = static_cast<int>(sizeof(T)) / unit;       // of a T

  static TILEPIPE_HD constexpr BoxGrid make_grid() {
    int extent[5] = {};
    for (int d = 0; d < rank; ++d) extent[d] = Tile::ExtentsType::extent(d);
    return cut_into_boxes(rank, extent, Tile::row_bytes, unit, swizzle,
                          Tile::Layout::alignment(Tile::storage_bytes));
  }
  static constexpr BoxGrid grid = make_grid();
  static constexpr int bytes = grid.bytes;
  static constexpr int boxes = grid.boxes;
  // Whether tensor copies can bring the tile, whatever its source is.
  static constexpr bool fits =
      grid.fits && (swizzle != 0 || Tile::storage_bytes == Tile::rows * Tile::row_bytes);

  // Where box i starts along dimension d, in elements of the map, from the tile's first on. In the
  // storage it starts at i * bytes.
  static TILEPIPE_HD constexpr int start(int i, int d) {
    constexpr BoxGrid g = make_grid();
    constexpr int panel = boxes / g.count[rank - 1];  // boxes of one, in a swizzled tile
    if (swizzle != 0) {
      if (d == rank - 1) return i / panel * g.box[d];
      i %= panel;
    }
    for (int k = swizzle != 0 ? rank - 2 : rank - 1; k > d; --k) i /= g.count[k];
    return i % g.count[d] * g.box[d];
  }
};

TILEPIPE_NAMESPACE_END
