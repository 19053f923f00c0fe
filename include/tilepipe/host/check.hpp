// SPDX-License-Identifier: Apache-2.0
// Checks before launch: a source against a loader's promise, a block against a team. No CUDA header
// needed.
#pragma once

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "../core/completion.hpp"
#include "../core/path.hpp"
#include "../core/shared_memory.hpp"
#include "../core/source.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace host {

// What every function of tilepipe::host throws; nothing is reported in another way.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A source without its types: extents and strides in elements, slowest first.
struct SourceView {
  std::uintptr_t address = 0;       // of the first element, bytes
  int element_bytes = 1;            // sizeof(T)
  int rank = 1;                     // dimensions, 1 to 5
  const index_t* extent = nullptr;  // rank of them; unbounded where there is no bound
  const index_t* stride = nullptr;  // rank of them; the last is 1
};
template <class T, int Rank>
SourceView view_of(const Source<T, Rank>& source) {
  return {reinterpret_cast<std::uintptr_t>(source.data), static_cast<int>(sizeof(T)), Rank,
          source.extent, source.stride};
}

// Bytes of a stride. Computed without sign, since a wild stride may overflow.
inline index_t stride_bytes(const SourceView& source, int dimension) {
  return static_cast<index_t>(static_cast<std::uint64_t>(source.stride[dimension]) *
                              static_cast<std::uint64_t>(source.element_bytes));
}

// Whether the stride of a dimension is ever used: not where there is one index alone.
inline bool uses_stride(const SourceView& source, int dimension) {
  return source.extent[dimension] != 1;
}

// 16, 8, 4, 2 or 1: the most that base and strides are all multiples of. For host code that picks a
// kernel.
inline int alignment_of(const SourceView& source) {
  std::uint64_t all = source.address | 16;
  for (int i = 0; i + 1 < source.rank; ++i)
    if (uses_stride(source, i)) all |= static_cast<std::uint64_t>(stride_bytes(source, i));
  return static_cast<int>(all & (~all + 1));
}
template <class T, int Rank>
int alignment_of(const Source<T, Rank>& source) {
  return alignment_of(view_of(source));
}
// Of a base and pitches, these in elements.
template <class T, class... Pitch>
int alignment_of(const T* data, Pitch... pitch) {
  std::uint64_t all = reinterpret_cast<std::uintptr_t>(data) | 16;
  ((all |= static_cast<std::uint64_t>(pitch) * sizeof(T)), ...);
  return static_cast<int>(all & (~all + 1));
}

// The loader as a sentence names it, with the options that the sentence is about.
inline std::string loader_name(LoaderConfig c) {
  std::string options;
  if (c.edge == Edge::zero_fill) options += ", ZeroFill";
  if (c.edge == Edge::skip) options += ", Skip";
  if (c.source == SourceKind::gathered) options += ", Gathered";
  if (c.packed) options += ", Packed";
  if (c.any_alignment) options += ", AnyAlignment";
  if (c.alignment != 0) options += ", Aligned<" + std::to_string(c.alignment) + ">";
  return "TileLoader<Tile" + options + ">";
}

inline std::string stride_name(const SourceView& source, int dimension) {
  if (dimension == source.rank - 2) return "row pitch";
  if (dimension == source.rank - 3) return "slice pitch";
  return "stride of dimension " + std::to_string(dimension);
}

[[noreturn]] inline void refuse_source(const std::string& sentence) {
  throw Error("tilepipe::host::check_source: " + sentence);
}

// Throws Error if the loader's promise does not hold for the source, or if the source cannot be
// one. `tiles`: how many tiles will be loaded; a null source is refused only where there is
// something to load. Extents of zero are fine: nothing is read, and so neither base nor pitches
// matter.
inline void check_source(LoaderConfig config, TileShape shape, const SourceView& source,
                         index_t tiles = 1) {
  const std::string loader = loader_name(config);
  bool empty = tiles == 0;
  if (tiles < 0)
    refuse_source("number of tiles " + std::to_string(tiles) +
                  " is negative; it must be 0 or more");
  for (int i = 0; i < source.rank; ++i) {
    const index_t extent = source.extent[i];
    if (extent == unbounded && config.edge != Edge::exact)
      refuse_source("extent " + std::to_string(i) + " is unbounded, and " + loader +
                    " needs bounds; give the number of elements, or say Exact");
    if (extent < 0 && extent != unbounded)
      refuse_source("extent " + std::to_string(i) + " is " + std::to_string(extent) +
                    "; extents must be 0 or more, or tilepipe::unbounded");
    empty = empty || extent == 0;
  }
  if (empty) return;
  if (source.address == 0)
    refuse_source(
        "source is null, and there are elements to load; give a pointer, or an extent of 0");
  if (source.stride[source.rank - 1] != 1)
    refuse_source("stride of the last dimension is " +
                  std::to_string(source.stride[source.rank - 1]) +
                  "; its elements must follow each other, stride 1");
  if (config.packed && source.rank >= 2 &&
      stride_bytes(source, source.rank - 2) != shape.row_bytes &&
      uses_stride(source, source.rank - 2))
    refuse_source("row pitch " + std::to_string(stride_bytes(source, source.rank - 2)) +
                  " B is not the tile's row length of " + std::to_string(shape.row_bytes) +
                  " B, which " + loader + " promises; leave Packed out");
  const int promise = promised_alignment(shape, config);
  const std::string remedy =
      " promises; say Aligned<" + std::to_string(alignment_of(source)) + "> or AnyAlignment";
  if (source.address % static_cast<unsigned>(promise) != 0) {
    char address[32];
    std::snprintf(address, sizeof address, "%#llx",
                  static_cast<unsigned long long>(source.address));
    refuse_source("base address " + std::string(address) + " is not a multiple of " +
                  std::to_string(promise) + " B, which " + loader + remedy);
  }
  for (int i = 0; i + 1 < source.rank; ++i)
    if (uses_stride(source, i) && stride_bytes(source, i) % promise != 0)
      refuse_source(stride_name(source, i) + " " + std::to_string(stride_bytes(source, i)) +
                    " B is not a multiple of " + std::to_string(promise) + " B, which " + loader +
                    remedy);
}

// Throws Error if the tile's slices, of three and more extents, do not follow each other.
template <class Tile>
void check_packed(const std::string& loader, const SourceView& source) {
  using Extents = typename Tile::ExtentsType;
  index_t slice = Tile::row_bytes;
  for (int i = Tile::rank - 3; i >= 0; --i) {
    slice *= Extents::extent(i + 1);
    if (Extents::extent(i) > 1 && stride_bytes(source, i) != slice)
      refuse_source(stride_name(source, i) + " " + std::to_string(stride_bytes(source, i)) +
                    " B is not the tile's slice of " + std::to_string(slice) + " B, which " +
                    loader + " promises; leave Packed out");
  }
}

// The same for a loader's type: anything with Tile, config, shape and rank, as TileLoader and
// LoaderTraits have them.
template <class Loader, class T, int Rank>
void check_source(const Source<T, Rank>& source, index_t tiles = 1) {
  static_assert(is_same<T, typename Loader::Tile::value_type>,
                "tilepipe::host::check_source<Loader>(source): the source's elements must be those "
                "of the tile");
  static_assert(Rank == Loader::rank,
                "tilepipe::host::check_source<Loader>(source): the source must have the tile's "
                "number of extents");
  check_source(Loader::config, Loader::shape, view_of(source), tiles);
  if constexpr (Loader::config.packed && Rank >= 3) {
    for (int i = 0; i < Rank; ++i)
      if (source.extent[i] == 0 || tiles == 0) return;
    check_packed<typename Loader::Tile>(loader_name(Loader::config), view_of(source));
  }
}

// Throws Error if one of the `count` indices, in host memory, names no row of a source of `rows`
// rows. tilepipe::absent_row (-1) is allowed where `config` has ZeroFill or Skip.
template <class Index>
void check_rows(LoaderConfig config, const Index* index, index_t count, index_t rows) {
  for (index_t i = 0; i < count; ++i) {
    const auto row = static_cast<index_t>(index[i]);
    if (row >= 0 && row < rows) continue;
    const bool absent = row == absent_row;
    if (absent && config.edge != Edge::exact) continue;
    throw Error("tilepipe::host::check_rows: index " + std::to_string(i) + " of " +
                std::to_string(count) + " is " +
                (absent
                     ? "absent_row, and " + loader_name(config) + " is Exact; say ZeroFill or Skip"
                     : std::to_string(row) + ", and the source has " + std::to_string(rows) +
                           " rows; name one of them" +
                           (config.edge == Edge::exact ? "" : ", or tilepipe::absent_row")));
  }
}
// The same for the type of a Gathered loader.
template <class Loader, class Index>
void check_rows(const Index* index, index_t count, index_t rows) {
  static_assert(Loader::config.source == SourceKind::gathered,
                "tilepipe::host::check_rows<Loader>(index, count, rows): indices are for a "
                "Gathered loader");
  check_rows(Loader::config, index, count, rows);
}

// Throws Error if blocks of `threads` threads cannot hold the team.
inline void check_block(TeamKind kind, int loading_threads, int computing_threads, int threads) {
  const std::string block =
      "tilepipe::host::check_block: block of " + std::to_string(threads) + " threads";
  if (threads < 1 || threads > max_block_threads)
    throw Error(block + " is outside 1.." + std::to_string(max_block_threads) +
                "; choose another size");
  if (kind == TeamKind::warp && threads % 32 != 0)
    throw Error(
        block +
        " is not a multiple of 32, which the team Warp needs: its last warp would be partial");
  if (kind == TeamKind::specialized && threads != loading_threads + computing_threads)
    throw Error(block + " is not the " + std::to_string(loading_threads + computing_threads) +
                " threads of Specialized<" + std::to_string(loading_threads) + ", " +
                std::to_string(computing_threads) + ">; launch with Producers + Consumers threads");
  if (kind == TeamKind::block && loading_threads != 0 && threads != loading_threads)
    throw Error(block + " is not the " + std::to_string(loading_threads) + " threads of Block<" +
                std::to_string(loading_threads) + ">; launch with as many, or use Block<>");
}
template <class Team>
void check_block(int threads) {
  check_block(Team::kind, Team::loading_threads, Team::all_computing, threads);
}

// Throws Error if a block may not have so much shared memory. `available`: what the device gives a
// block that asks (cudaDevAttrMaxSharedMemoryPerBlockOptin), or arch_traits(arch).smem_per_block.
inline void check_shared_bytes(index_t dynamic_bytes, index_t static_bytes, index_t available) {
  const index_t asked = dynamic_bytes + static_bytes;
  if (dynamic_bytes < 0)
    throw Error("tilepipe::host::prepare: " + std::to_string(dynamic_bytes) +
                " B of dynamic shared memory are negative; ask for 0 or more");
  if (asked > available)
    throw Error("tilepipe::host::prepare: a block asks for " + std::to_string(asked) +
                " B of shared memory (" + std::to_string(dynamic_bytes) + " dynamic, " +
                std::to_string(static_bytes) + " static), and " + std::to_string(available) +
                " B are available; use fewer stages or smaller tiles");
}

}  // namespace host
TILEPIPE_NAMESPACE_END
