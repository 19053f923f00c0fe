// SPDX-License-Identifier: Apache-2.0
// Source: a pitched array of 1 to 5 extents in global memory, as a loader sees it.
#pragma once

#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

// The coordinates of a tile's first element in its source, slowest first. May be negative.
template <int Rank>
struct Coordinates {
  index_t at[Rank];
  bool narrow = false;  // the caller gave int or less
};

// In place of an extent: the view has no bound there, and the loader is Exact.
inline constexpr index_t unbounded = -1;

// A row functor returns this where the tile has a row and the source has none.
inline constexpr index_t absent_row = -1;

// Extents and strides in elements, slowest dimension first; the last extent is dense. Trivially
// copyable, the same on every target: it may be a kernel's parameter.
template <class T, int Rank>
struct Source {
  static_assert(Rank >= 1 && Rank <= 5, "tilepipe::Source<T, Rank>: Rank must be 1..5");
  const T* data = nullptr;
  index_t extent[Rank] = {};
  index_t stride[Rank] = {};  // stride[Rank - 1] is 1

  // A dense 1-D array of count elements.
  static TILEPIPE_HD constexpr Source dense(const T* data, index_t count) {
    static_assert(Rank == 1, "tilepipe::Source<T, Rank>::dense: for Rank 1");
    return Source{data, {count}, {1}};
  }
  // rows x cols, pitch elements from row to row.
  static TILEPIPE_HD constexpr Source pitched(const T* data, index_t rows, index_t cols,
                                              index_t pitch) {
    static_assert(Rank == 2, "tilepipe::Source<T, Rank>::pitched(rows, cols, pitch): for Rank 2");
    return Source{data, {rows, cols}, {pitch, 1}};
  }
  // depth x rows x cols.
  static TILEPIPE_HD constexpr Source pitched(const T* data, index_t depth, index_t rows,
                                              index_t cols, index_t row_pitch,
                                              index_t slice_pitch) {
    static_assert(Rank == 3,
                  "tilepipe::Source<T, Rank>::pitched(depth, rows, cols, row_pitch, slice_pitch): "
                  "for Rank 3");
    return Source{data, {depth, rows, cols}, {slice_pitch, row_pitch, 1}};
  }
};

// The same of what a storer writes to.
template <class T, int Rank>
struct Destination {
  T* data = nullptr;
  index_t extent[Rank] = {};
  index_t stride[Rank] = {};  // stride[Rank - 1] is 1

  TILEPIPE_HD constexpr Source<T, Rank> as_source() const {
    Source<T, Rank> source;
    source.data = data;
    for (int d = 0; d < Rank; ++d) {
      source.extent[d] = extent[d];
      source.stride[d] = stride[d];
    }
    return source;
  }
};

TILEPIPE_NAMESPACE_END
