// SPDX-License-Identifier: Apache-2.0
// What TILEPIPE_CHECKS checks of the promises of loaders and storers, and how it says so.
#pragma once

#include "config.hpp"
#include "copy/rows.cuh"
#include "core/copy_plan.hpp"
#include "core/path.hpp"
#include "core/tensor_map.hpp"

TILEPIPE_NAMESPACE_BEGIN

// What an observer is told first.
struct PipelineInfo {
  int stages;
  int parts;
  bool loads;  // the calling thread's roles
  bool computes;
};

// Prints a sentence and ends the kernel with a trap. Arguments as of printf. (Without
// TILEPIPE_CHECKS the headers do not bring printf along, and it traps only.)
template <class... Args>
TILEPIPE_D void fail_check(const char* format, Args... args) {
#if defined(TILEPIPE_CHECKS)
  printf(format, args...);
  printf("tilepipe: in block (%u, %u, %u), thread (%u, %u, %u)\n", blockIdx.x, blockIdx.y,
         blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
#else
  (void)format;
  ((void)args, ...);
#endif
  __trap();
}

// A tensor map must be where a tensor copy can read it. who: TileLoader or TileStorer.
template <class Tile>
TILEPIPE_D void check_tensor_source(const char* who, const TensorSource<Tile>& source) {
  if (source.mapped != 0 && !__isGridConstant(&source) && !__isGlobal(&source))
    fail_check(
        "tilepipe::%s<Tile, Mapped>: the TensorSource is a copy in the thread's memory, "
        "where a tensor copy cannot read its map; take the kernel's parameter as const "
        "__grid_constant__ TensorSource<Tile>\n",
        who);
}

// A tile's rows against what its loader or storer promised: alignment, where copies need it, that
// the array has the rows that an index names, and for Exact tiles that it has all of the tile. Who:
// TileLoader or TileStorer, whose edges, and the array.
struct WhoPromises {
  const char* name;
  const char* edges;
  const char* array;
};
template <class Traits, int G, class Rows>
TILEPIPE_D void check_promise(ThreadGroup<G> group, const Rows& rows, ByteRange inside,
                              WhoPromises who, bool aligned = true) {
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
