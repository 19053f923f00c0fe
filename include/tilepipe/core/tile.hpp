// SPDX-License-Identifier: Apache-2.0
// Tile: typed shared-memory storage whose extents and layout are part of the type.
#pragma once

#include "layout.hpp"
#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

template <int First, int... Rest>
inline constexpr int last_of = last_of<Rest...>;
template <int Only>
inline constexpr int last_of<Only> = Only;

// 1 to 5 extents, slowest first; the last is a row's number of elements.
template <int... E>
struct Extents {
  static_assert(sizeof...(E) >= 1 && sizeof...(E) <= 5,
                "tilepipe::Tile<T, Extents...>: a tile has 1 to 5 extents");
  static_assert(((E > 0) && ...), "tilepipe::Tile<T, Extents...>: every extent must be positive");
  static constexpr int rank = sizeof...(E);
  static constexpr int size = (E * ... * 1);
  static TILEPIPE_HD constexpr int extent(int i) {
    const int all[] = {E...};
    return all[i];
  }
  static constexpr int cols = last_of<E...>;
  static constexpr int rows = size / cols;
};

// Storage of one tile of T, placed by the user as a member of a stage. Offsets are in bytes, rows
// and columns in elements; a tile of more than two extents counts its rows through all extents but
// the last. Trivial: no constructor runs, what is not loaded is undefined. Same size and alignment
// on every target.
template <class T, class E, class L = RowMajor>
struct BasicTile {
  using value_type = T;
  using ExtentsType = E;
  using Layout = L;
  static constexpr int rank = E::rank;
  static constexpr int rows = E::rows;
  static constexpr int cols = E::cols;
  static constexpr int size = E::size;
  static constexpr int row_bytes = cols * static_cast<int>(sizeof(T));
  static constexpr int storage_bytes = L::bytes(rows, row_bytes);

  static_assert(__is_trivially_copyable(T),
                "tilepipe::Tile<T, Extents...>: T must be trivially copyable: copies move bytes");
  static_assert(sizeof(T) <= 48,
                "tilepipe::Tile<T, Extents...>: T may have at most 48 bytes; make an extent of "
                "what is larger");
  static_assert(swizzle_width<L> <= row_bytes,
                "tilepipe::SwizzledTile<T, Extents...>: the swizzle is wider than the row; widen "
                "the row, or use a narrower Swizzle or PaddedTile");
  static_assert(swizzle_width<L> == 0 || (row_bytes % 16 == 0 && 16 % sizeof(T) == 0),
                "tilepipe::SwizzledTile<T, Extents...>: rows must be multiples of 16 bytes, of "
                "elements that divide 16 bytes; use PaddedTile");

  alignas(L::alignment(storage_bytes)) unsigned char storage[storage_bytes];

  // Where element (row, col) lies in the storage.
  static TILEPIPE_HD constexpr int byte_offset(int row, int col) {
    return L::offset(row, col * static_cast<int>(sizeof(T)), rows, row_bytes);
  }
  // Where element number i in row-major order lies.
  static TILEPIPE_HD constexpr int byte_offset(int i) {
    if constexpr (L::rows_contiguous && storage_bytes == rows * row_bytes) {
      return i * static_cast<int>(sizeof(T));
    } else {
      const unsigned element = static_cast<unsigned>(i);  // whose division is a shift or a multiply
      return byte_offset(static_cast<int>(element / cols), static_cast<int>(element % cols));
    }
  }
  TILEPIPE_HD T& operator()(int row, int col) { return as<T>(row, col); }
  TILEPIPE_HD const T& operator()(int row, int col) const { return as<T>(row, col); }
  // Element number i in row-major order.
  TILEPIPE_HD T& operator[](int i) { return *reinterpret_cast<T*>(storage + byte_offset(i)); }
  TILEPIPE_HD const T& operator[](int i) const {
    return *reinterpret_cast<const T*>(storage + byte_offset(i));
  }
  // The bytes from (row, col) on as a V, say a float4. They must be aligned for V, and stay within
  // the layout's granule where it swizzles.
  template <class V>
  TILEPIPE_HD V& as(int row, int col) {
    return *reinterpret_cast<V*>(storage + byte_offset(row, col));
  }
  template <class V>
  TILEPIPE_HD const V& as(int row, int col) const {
    return *reinterpret_cast<const V*>(storage + byte_offset(row, col));
  }
};

template <int RowBytes>
struct WidestSwizzle {
  static_assert(widest_swizzle(RowBytes) != 0,
                "tilepipe::SwizzledTile<T, Extents...>: a row must be a multiple of 32 bytes; "
                "widen the row, or use PaddedTile");
  using type = Swizzle<widest_swizzle(RowBytes) == 0 ? 32 : widest_swizzle(RowBytes)>;
};

template <class T, int... E>
using Tile = BasicTile<T, Extents<E...>>;
template <int PadBytes, class T, int... E>
using PaddedTile = BasicTile<T, Extents<E...>, Padded<PadBytes>>;
template <class T, int... E>
using SwizzledTile =
    BasicTile<T, Extents<E...>,
              typename WidestSwizzle<Extents<E...>::cols* static_cast<int>(sizeof(T))>::type>;

TILEPIPE_NAMESPACE_END
