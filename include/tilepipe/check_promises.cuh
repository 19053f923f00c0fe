// SPDX-License-Identifier: Apache-2.0
// The checks of promises, as checks.cuh declares them.
#pragma once

#include "checks.cuh"

TILEPIPE_NAMESPACE_BEGIN

template <class Tile>
TILEPIPE_D void check_tensor_source(const char* who, const TensorSource<Tile>& source) {
  if (source.mapped != 0 && !__isGridConstant(&source) && !__isGlobal(&source))
    fail_check(
        "tilepipe::%s<Tile, Mapped>: the TensorSource is a copy in the thread's memory, "
        "where a tensor copy cannot read its map; take the kernel's parameter as const "
        "__grid_constant__ TensorSource<Tile>\n",
        who);
}

template <class Set, class Given>
TILEPIPE_D void check_given(const char* verb, const Set& set, const Given& given) {
  if (!set.contains(&given))
    fail_check(
        "tilepipe::Pipeline::%s: the pipeline was given another %s of this type, not this "
        "object\n",
        verb, Given::is_storer ? "storer" : "loader");
}

template <bool Last, class Set, class Storer, class Stage, class Tile>
TILEPIPE_D void check_store(const Set& set, const Storer& storer, const Stage& oldest,
                            const Tile& tile) {
  check_given("store", set, storer);
  const auto offset = reinterpret_cast<const unsigned char*>(&tile) -
                      reinterpret_cast<const unsigned char*>(&oldest);
  if (Last && (offset < 0 || offset >= static_cast<long long>(sizeof oldest)))
    fail_check(
        "tilepipe::Pipeline::store_last: the tile is not in the oldest held stage, which is "
        "released next; use store\n");
}

// TileLoader or TileStorer, whose edges, and the array.
struct WhoPromises {
  const char* name;
  const char* edges;
  const char* array;
};
template <class Traits, int G, class Rows>
TILEPIPE_D void check_promise(ThreadGroup<G> group, const Rows& rows, ByteRange inside,
                              WhoPromises who, bool aligned) {
  using Tile = typename Traits::Tile;
  for (int r = group.rank; r < Tile::rows; r += group.size()) {
    const RowPlace place = rows(r);
    if constexpr (Traits::config.source == SourceKind::gathered)
      if (!place.present && rows.named(r) != absent_row)
        fail_check(
            "tilepipe::%s<Tile, Gathered>: row %d of the tile is row %lld of the %s, which has "
            "%lld rows; name one of them, or tilepipe::absent_row\n",
            who.name, r, rows.named(r), who.array, rows.count());
    if constexpr (Traits::config.edge == Edge::exact) {
      if (!place.present)
        fail_check("tilepipe::%s<Tile, Exact>: row %d of the tile is not in the %s; use %s\n",
                   who.name, r, who.array, who.edges);
      if (inside.first != 0 || inside.last != Tile::row_bytes)
        fail_check(
            "tilepipe::%s<Tile, Exact>: of a row's %d bytes, bytes %d to %d are in the %s; use "
            "%s\n",
            who.name, Tile::row_bytes, inside.first, inside.last, who.array, who.edges);
    }
    if constexpr (Traits::config.packed && Traits::config.source != SourceKind::gathered)
      if (place.start != rows(0).start + r * Tile::row_bytes)
        fail_check(
            "tilepipe::%s<Tile, Packed>: row %d of the tile does not follow the row before it; "
            "leave Packed out\n",
            who.name, r);
    const auto address = reinterpret_cast<unsigned long long>(place.start);
    if (aligned && place.present && address % Traits::width != 0)
      fail_check(
          "tilepipe::%s: row %d of the tile starts at 0x%llx, which is not a multiple of the "
          "promised %d bytes; use Aligned<n> or AnyAlignment\n",
          who.name, r, address, Traits::width);
  }
}

TILEPIPE_NAMESPACE_END
