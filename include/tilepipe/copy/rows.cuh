// SPDX-License-Identifier: Apache-2.0
// Where the rows of a tile lie in its source, and which of their bytes are inside.
#pragma once

#include "../core/source.hpp"

TILEPIPE_NAMESPACE_BEGIN

// A row's first byte, were it inside, and whether the source has the row.
struct RowPlace {
  const unsigned char* start;
  bool present;
};

// The part of a run of cells that an extent has: first <= i < last.
struct Clip {
  int first;
  int last;
};

// Of n cells from coordinate `at` on.
TILEPIPE_D Clip clip(index_t extent, index_t at, int n) {
  Clip inside{0, n};
  if (at < 0) inside.first = -at < n ? static_cast<int>(-at) : n;
  if (extent != unbounded && extent - at < n)
    inside.last = extent > at ? static_cast<int>(extent - at) : 0;
  return inside;
}

// The bytes of each present row of a tile that lie inside the source: first <= b < last. Starts are
// aligned to chunks, so a chunk is cut at its end alone.
struct ByteRange {
  int first;
  int last;
  // Of the chunk of Width bytes at byte b: how many of its first bytes are inside; whether all are;
  // whether only some are.
  template <int Width>
  TILEPIPE_D int prefix(int b) const {
    if (b < first || b >= last) return 0;
    return min_of(last - b, Width);
  }
  template <int Width>
  TILEPIPE_D bool whole(int b) const {
    return b >= first && b <= last - Width;
  }
  template <int Width>
  TILEPIPE_D bool cuts(int b) const {
    return b < last && b > last - Width && b >= first;
  }
  // Whether any chunk is cut; never where an element is a whole number of chunks.
  template <int Width, int ElementBytes>
  TILEPIPE_D bool cuts_any() const {
    return ElementBytes % Width != 0 && last % Width != 0 && first < last;
  }
};

// Whether coordinate i is inside an extent: as unsigned numbers, so that negative ones are outside,
// and nothing but absent_row is outside of an unbounded one.
TILEPIPE_D bool in_extent(index_t i, index_t extent) {
  return static_cast<unsigned long long>(i) < static_cast<unsigned long long>(extent);
}

// For tiles that start at column col of a source with `cols` columns.
template <class Tile>
TILEPIPE_D ByteRange bytes_inside(index_t cols, index_t col) {
  constexpr int size = static_cast<int>(sizeof(typename Tile::value_type));
  const Clip inside = clip(cols, col, Tile::cols);
  return {inside.first * size, inside.last * size};
}

// Rows are asked for by numbers r and, where it is a constant, `below`: row r + below of the tile.

// Rows at a pitch, from the tile's coordinates on. Where below is a constant, a row of a matrix is
// a sum away from row r, and two comparisons with constants say whether it is there.
template <class Tile>
class DenseRows {
  using T = typename Tile::value_type;
  static constexpr int rank = Tile::rank;

 public:
  TILEPIPE_D DenseRows(const Source<T, rank>& source, const Coordinates<rank>& at)
      : source_(source), at_(at) {
    if constexpr (rank == 2) inside_ = clip(source.extent[0], at.at[0], Tile::rows);
  }

  TILEPIPE_D RowPlace operator()(int r, int below = 0) const {
    index_t element = at_.at[rank - 1];
    bool present = true;
    if constexpr (rank == 2) {
      element += (at_.at[0] + r) * source_.stride[0] + below * source_.stride[0];
      // Without a start above the source, which the compiler may know of, one comparison.
      const int above = inside_.first > 0 ? inside_.first - r : -Tile::rows;
      present = below < inside_.last - r && below >= above;
    } else if constexpr (rank > 2) {
      r += below;
#pragma unroll
      for (int d = rank - 2; d >= 0; --d) {
        const index_t i = at_.at[d] + r % Tile::ExtentsType::extent(d);
        r /= Tile::ExtentsType::extent(d);
        element += i * source_.stride[d];
        present = present && in_extent(i, source_.extent[d]);
      }
    }
    return {reinterpret_cast<const unsigned char*>(source_.data + element), present};
  }

 private:
  const Source<T, rank>& source_;
  Coordinates<rank> at_;
  Clip inside_{0, Tile::rows};  // rows of a matrix
};

// Row r of the tile is row row_of(r) of the source, or absent_row.
template <class Tile, class RowOf>
class GatheredRows {
  using T = typename Tile::value_type;
  static constexpr int rank = Tile::rank;

 public:
  TILEPIPE_D GatheredRows(const Source<T, rank>& source, const RowOf& row_of, index_t col)
      : source_(source), row_of_(row_of), col_(col) {}

  TILEPIPE_D RowPlace operator()(int r, int below = 0) const {
    const index_t row = row_of_(r + below);
    return {reinterpret_cast<const unsigned char*>(source_.data + row * source_.stride[rank - 2] +
                                                   col_),
            in_extent(row, source_.extent[0])};
  }
  // What the functor says, and how many rows the source has.
  TILEPIPE_D index_t named(int r) const { return row_of_(r); }
  TILEPIPE_D index_t count() const { return source_.extent[0]; }

 private:
  const Source<T, rank>& source_;
  const RowOf& row_of_;
  index_t col_;
};

TILEPIPE_NAMESPACE_END
