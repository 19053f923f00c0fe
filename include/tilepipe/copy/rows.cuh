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

// The bytes of each present row of a tile that lie inside the source: first <= b < last.
struct ByteRange {
  int first;
  int last;
  // Of the chunk of Width bytes at byte b: how many of its first bytes are inside. Starts are
  // aligned to chunks, so a chunk is cut at its end alone.
  template <int Width>
  TILEPIPE_D int prefix(int b) const {
    if (b < first || b >= last) return 0;
    return min_of(last - b, Width);
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
  ByteRange range{0, Tile::row_bytes};
  if (col < 0) range.first = -col < Tile::cols ? static_cast<int>(-col) * size : Tile::row_bytes;
  if (cols != unbounded && cols - col < Tile::cols)
    range.last = cols - col > 0 ? static_cast<int>(cols - col) * size : 0;
  return range;
}

// Rows at a pitch, from the tile's coordinates on.
template <class Tile>
class DenseRows {
  using T = typename Tile::value_type;
  static constexpr int rank = Tile::rank;

 public:
  TILEPIPE_D DenseRows(const Source<T, rank>& source, const Coordinates<rank>& at)
      : source_(source), at_(at) {}

  TILEPIPE_D RowPlace operator()(int r) const {
    index_t element = at_.at[rank - 1];
    bool present = true;
    if constexpr (rank == 2) {
      const index_t row = at_.at[0] + r;
      element += row * source_.stride[0];
      present = in_extent(row, source_.extent[0]);
    } else if constexpr (rank > 2) {
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
};

// Row r of the tile is row row_of(r) of the source, or absent_row.
template <class Tile, class RowOf>
class GatheredRows {
  using T = typename Tile::value_type;
  static constexpr int rank = Tile::rank;

 public:
  TILEPIPE_D GatheredRows(const Source<T, rank>& source, const RowOf& row_of, index_t col)
      : source_(source), row_of_(row_of), col_(col) {}

  TILEPIPE_D RowPlace operator()(int r) const {
    const index_t row = row_of_(r);
    return {reinterpret_cast<const unsigned char*>(source_.data + row * source_.stride[rank - 2] +
                                                   col_),
            in_extent(row, source_.extent[0])};
  }

 private:
  const Source<T, rank>& source_;
  const RowOf& row_of_;
  index_t col_;
};

TILEPIPE_NAMESPACE_END
