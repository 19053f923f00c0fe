// SPDX-License-Identifier: Apache-2.0
// Which path the bytes of a tile take: a function of architecture, tile, alignment, edges and
// source.
#pragma once

#include "arch.hpp"
#include "std.hpp"
#include "tensor_box.hpp"

TILEPIPE_NAMESPACE_BEGIN

enum class Path {
  automatic,   // the library chooses
  registers,   // loads to registers early, stores to shared memory late; any architecture
  cp_async,    // cp.async of 4, 8 or 16 bytes a thread; from CC 8.0
  bulk,        // cp.async.bulk, a run of bytes an instruction; from CC 9.0
  tensor,      // cp.async.bulk.tensor, a box an instruction; from CC 9.0
  libcudacxx,  // cuda::memcpy_async; needs <tilepipe/interop/libcudacxx.cuh>
};

// What a cell of the tile gets that lies outside the source.
enum class Edge {
  exact,      // there is none: the caller promises it
  zero_fill,  // zero bytes
  skip,       // it stays as it was in that stage
};

enum class SourceKind {
  dense,     // rows at a pitch
  gathered,  // rows by a functor
  mapped,    // rows at a pitch, and a tensor map
};

enum class CacheOperator { automatic, all, global };  // cp.async .ca (L1 and L2) and .cg (L2 only)

// Which lines leave L2 before others: a hint of bulk and tensor copies and stores. automatic: none.
enum class L2Eviction { automatic, first, last };

// What the options of a TileLoader or a TileStorer say together.
struct LoaderConfig {
  Path demanded = Path::automatic;
  Edge edge = Edge::exact;
  SourceKind source = SourceKind::dense;
  CacheOperator cache = CacheOperator::automatic;
  int alignment = 0;  // promised bytes; 0: the widest that the row length allows, at most 16
  bool any_alignment = false;  // nothing is promised: found at run time
  bool packed = false;         // the tile's rows follow each other without gaps in the source
  int l2_prefetch = 0;         // bytes: 0, 64, 128, 256
  L2Eviction eviction = L2Eviction::automatic;
  bool add = false;  // of a TileStorer: to what is there
};

// What a path needs to know of a tile type.
struct TileShape {
  int rows = 1;
  int row_bytes = 0;
  int granule = 16;             // bytes that the layout keeps together
  bool rows_contiguous = true;  // a row is one run of bytes
  bool gapless = true;          // the tile is one run of bytes
  bool boxes_fit = true;        // tensor boxes of at most 256 elements a side lie at 128 bytes
  int box_bytes = 0;            // of one of them
};

template <class Tile>
TILEPIPE_HD constexpr TileShape shape_of() {
  return {Tile::rows,
          Tile::row_bytes,
          Tile::Layout::granule,
          Tile::Layout::rows_contiguous,
          Tile::Layout::rows_contiguous && Tile::storage_bytes == Tile::rows * Tile::row_bytes,
          TensorBoxes<Tile>::grid.fits,
          TensorBoxes<Tile>::grid.bytes};
}

// The largest power of two, at most 16 and at most limit, that divides a and b.
TILEPIPE_HD constexpr int widest_divisor(int limit, int a, int b) {
  int w = 16;
  while (w > limit || a % w != 0 || b % w != 0) w /= 2;
  return w;
}

// Bytes that base, pitch and each tile's first element are promised to be multiples of; also the
// width of one copy of one thread. With any alignment, the width of a chunk in shared memory.
TILEPIPE_HD constexpr int promised_alignment(TileShape s, LoaderConfig c) {
  if (c.any_alignment) return 1;
  return widest_divisor(c.alignment != 0 ? c.alignment : 16, s.row_bytes, s.granule);
}

// Why a demanded path is refused. Each has one sentence, and a file in tests/fail that expects it.
#define TILEPIPE_PATH_REFUSALS(X)                                                                  \
  X(cp_async_needs_sm80,                                                                           \
    "tilepipe::TileLoader<Tile, Via<Path::cp_async>>: cp.async needs compute capability 8.0; "     \
    "leave Via out to let "                                                                        \
    "the library choose")                                                                          \
  X(bulk_needs_sm90,                                                                               \
    "tilepipe::TileLoader<Tile, Via<Path::bulk>>: bulk copies need compute capability 9.0; leave " \
    "Via out to let "                                                                              \
    "the library choose")                                                                          \
  X(cp_async_needs_four_bytes,                                                                     \
    "tilepipe::TileLoader<Tile, Via<Path::cp_async>>: cp.async moves 4, 8 or 16 bytes, and row "   \
    "length, layout or "                                                                           \
    "Aligned<n> allow fewer than 4; leave Via out, or say AnyAlignment")                           \
  X(bulk_needs_sixteen_bytes,                                                                      \
    "tilepipe::TileLoader<Tile, Via<Path::bulk>>: bulk copies need 16-byte alignment of rows, "    \
    "pitch and layout; "                                                                           \
    "leave Via out to let the library choose")                                                     \
  X(bulk_zero_fill,                                                                                \
    "tilepipe::TileLoader<Tile, ZeroFill, Via<Path::bulk>>: bulk copies have no bounds handling; " \
    "leave Via out, or "                                                                           \
    "use Exact or Skip")                                                                           \
  X(bulk_swizzle,                                                                                  \
    "tilepipe::TileLoader<SwizzledTile, Via<Path::bulk>>: bulk copies write rows as they are and " \
    "do not swizzle; "                                                                             \
    "use Tile or PaddedTile, or leave Via out")                                                    \
  X(tensor_needs_sm90,                                                                             \
    "tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies need compute "                   \
    "capability 9.0; leave Via out to let the library choose")                                     \
  X(tensor_needs_map,                                                                              \
    "tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies need a tensor map; say "         \
    "Mapped and pass a TensorSource, or leave Via out")                                            \
  X(tensor_skip,                                                                                   \
    "tilepipe::TileLoader<Tile, Skip, Via<Path::tensor>>: tensor copies write zeros "              \
    "outside the source; use ZeroFill, or leave Via out")                                          \
  X(tensor_padded,                                                                                 \
    "tilepipe::TileLoader<PaddedTile, Via<Path::tensor>>: tensor copies write rows "               \
    "without gaps; use Tile or SwizzledTile, or leave Via out")                                    \
  X(tensor_row,                                                                                    \
    "tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies need rows of a "                 \
    "multiple of 16 bytes; widen the row, or leave Via out")                                       \
  X(tensor_needs_sixteen_bytes,                                                                    \
    "tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies need 16-byte alignment of "      \
    "base, "                                                                                       \
    "strides and the first element of each tile; leave Aligned<n> and AnyAlignment out, or leave " \
    "Via out")                                                                                     \
  X(tensor_boxes,                                                                                  \
    "tilepipe::TileLoader<Tile, Via<Path::tensor>>: tensor copies bring boxes of at most "         \
    "256 elements a side, which must lie at multiples of 128 bytes of shared memory, and "         \
    "the extents of the tile have no such cut; choose other extents, or leave Via out")            \
  X(libcudacxx_edges,                                                                              \
    "tilepipe::TileLoader<Tile, Via<Path::libcudacxx>>: cuda::memcpy_async has no bounds "         \
    "handling; use Exact, or "                                                                     \
    "leave Via out")                                                                               \
  X(libcudacxx_swizzle,                                                                            \
    "tilepipe::TileLoader<SwizzledTile, Via<Path::libcudacxx>>: cuda::memcpy_async does not "      \
    "swizzle; use Tile or "                                                                        \
    "PaddedTile, or leave Via out")                                                                \
  X(libcudacxx_any_alignment,                                                                      \
    "tilepipe::TileLoader<Tile, AnyAlignment, Via<Path::libcudacxx>>: cuda::memcpy_async takes "   \
    "its alignment at "                                                                            \
    "compile time; say Aligned<n>, or leave Via out")

#define TILEPIPE_NAME(name, text) name,
#define TILEPIPE_CASE(name, text) \
  case Enum::name:                \
    return text;
enum class PathRefusal { none, TILEPIPE_PATH_REFUSALS(TILEPIPE_NAME) };
TILEPIPE_HD constexpr const char* sentence(PathRefusal r) {
  using Enum = PathRefusal;
  switch (r) {
    TILEPIPE_PATH_REFUSALS(TILEPIPE_CASE)
    default:
      return "";
  }
}

// Whether the tile can travel by path p on the architecture, and if not, why.
TILEPIPE_HD constexpr PathRefusal refuse_path(int arch, Path p, TileShape s, LoaderConfig c) {
  const int w = promised_alignment(s, c);
  switch (p) {
    case Path::cp_async:
      if (!arch_traits(arch).cp_async) return PathRefusal::cp_async_needs_sm80;
      if (w < 4 && !c.any_alignment) return PathRefusal::cp_async_needs_four_bytes;
      return PathRefusal::none;
    case Path::bulk:
      if (!arch_traits(arch).bulk) return PathRefusal::bulk_needs_sm90;
      if (!s.rows_contiguous) return PathRefusal::bulk_swizzle;
      if (w < 16) return PathRefusal::bulk_needs_sixteen_bytes;
      if (c.edge == Edge::zero_fill) return PathRefusal::bulk_zero_fill;
      return PathRefusal::none;
    case Path::tensor:
      if (!arch_traits(arch).bulk) return PathRefusal::tensor_needs_sm90;
      if (c.source != SourceKind::mapped) return PathRefusal::tensor_needs_map;
      if (c.edge == Edge::skip) return PathRefusal::tensor_skip;
      if (s.rows_contiguous && !s.gapless) return PathRefusal::tensor_padded;
      if (s.row_bytes % 16 != 0) return PathRefusal::tensor_row;
      if (w < 16) return PathRefusal::tensor_needs_sixteen_bytes;
      if (!s.boxes_fit) return PathRefusal::tensor_boxes;
      return PathRefusal::none;
    case Path::libcudacxx:
      if (c.edge != Edge::exact) return PathRefusal::libcudacxx_edges;
      if (!s.rows_contiguous) return PathRefusal::libcudacxx_swizzle;
      if (c.any_alignment) return PathRefusal::libcudacxx_any_alignment;
      return PathRefusal::none;
    default:
      return PathRefusal::none;
  }
}

struct Choice {
  Path path;
  int width;  // bytes that one instruction of one thread moves; for bulk the run of bytes
  const char* reason;
};

// A bulk copy a row pays from this many bytes a row on, at a pitch and gathered; measured, see
// docs/paths.md.
inline constexpr int bulk_row_bytes = 2048;
inline constexpr int bulk_gathered_row_bytes = 4096;

// The reason of a choice for a mapped source that cannot have tensor copies, which the refusal says
// at length.
TILEPIPE_HD constexpr const char* without_tensor(PathRefusal r) {
  switch (r) {
    case PathRefusal::tensor_needs_sm90:
      return "the plain view: tensor copies need compute capability 9.0";
    case PathRefusal::tensor_skip:
      return "the plain view: tensor copies write zeros outside the source";
    case PathRefusal::tensor_padded:
      return "the plain view: tensor copies write rows without gaps";
    case PathRefusal::tensor_row:
      return "the plain view: tensor copies need rows of a multiple of 16 bytes";
    case PathRefusal::tensor_needs_sixteen_bytes:
      return "the plain view: tensor copies need 16-byte alignment";
    default:
      return "the plain view: the tile has no cut into tensor boxes";
  }
}

// choose_path() where nothing is demanded, and no tensor map is there.
TILEPIPE_HD constexpr Choice choose_without_map(int arch, TileShape s, LoaderConfig c) {
  const int w = promised_alignment(s, c);
  const bool gathered = c.source == SourceKind::gathered;
  const bool one_run = s.gapless && (s.rows == 1 || c.packed) && !gathered;
  const bool bulk =
      refuse_path(arch, Path::bulk, s, c) == PathRefusal::none && c.edge == Edge::exact;
  if (bulk && one_run)
    return {Path::bulk, s.rows * s.row_bytes, "one run of bytes, 16-byte aligned, exact"};
  if (bulk && s.row_bytes >= (gathered ? bulk_gathered_row_bytes : bulk_row_bytes))
    return {Path::bulk, s.row_bytes,
            gathered ? "gathered rows of 4 KiB and more, 16-byte aligned, exact"
                     : "rows of 2 KiB and more, 16-byte aligned, exact"};
  if (refuse_path(arch, Path::cp_async, s, c) == PathRefusal::none) {
    if (c.any_alignment)
      return {Path::cp_async, w, "the widest copies that the alignment found at run time allows"};
    return {Path::cp_async, w,
            !arch_traits(arch).bulk ? "bulk copies need compute capability 9.0"
            : c.edge != Edge::exact ? "bulk copies have no bounds handling"
            : !s.rows_contiguous    ? "bulk copies do not swizzle"
            : w < 16                ? "bulk copies need 16-byte alignment"
            : gathered              ? "gathered rows under 4 KiB: a bulk copy a row would be slower"
                                    : "rows under 2 KiB: a bulk copy a row would be slower"};
  }
  if (c.any_alignment)
    return {Path::registers, w, "any alignment without cp.async: copied at once"};
  return {Path::registers, w,
          !arch_traits(arch).cp_async ? "cp.async needs compute capability 8.0"
                                      : "cp.async needs 4-byte alignment"};
}

// The path of a tile on an architecture (75, 80, 90, ...), and why. What is demanded is answered as
// demanded, also where refuse_path() refuses it. Host code may ask for any architecture; the path
// that runs is that of the code which the driver picked (cudaFuncAttributes::ptxVersion).
TILEPIPE_HD constexpr Choice choose_path(int arch, TileShape s, LoaderConfig c) {
  if (c.demanded != Path::automatic) {
    const bool one_run = s.gapless && (s.rows == 1 || c.packed) && c.source != SourceKind::gathered;
    const int width = c.demanded == Path::bulk     ? (one_run ? s.rows : 1) * s.row_bytes
                      : c.demanded == Path::tensor ? s.box_bytes
                                                   : promised_alignment(s, c);
    return {c.demanded, width, "demanded by the kernel"};
  }
  if (c.source != SourceKind::mapped) return choose_without_map(arch, s, c);
  const PathRefusal tensor = refuse_path(arch, Path::tensor, s, c);
  if (tensor == PathRefusal::none) return {Path::tensor, s.box_bytes, "a tensor map, box by box"};
  const Choice plain = choose_without_map(arch, s, c);
  return {plain.path, plain.width, without_tensor(tensor)};
}

// ---- options: TileLoader<Tile, ZeroFill, Aligned<8>, Via<Path::cp_async>>, in any order ----

struct Exact {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.edge = Edge::exact; }
};
struct ZeroFill {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.edge = Edge::zero_fill; }
};
struct Skip {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.edge = Edge::skip; }
};
struct Gathered {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.source = SourceKind::gathered; }
};
struct Mapped {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.source = SourceKind::mapped; }
};
struct Packed {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.packed = true; }
};
struct AnyAlignment {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.any_alignment = true; }
};
struct ReduceAdd {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.add = true; }
};
template <int Bytes>
struct Aligned {
  static_assert(Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8 || Bytes == 16,
                "tilepipe::Aligned<Bytes>: Bytes must be 1, 2, 4, 8 or 16");
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.alignment = Bytes; }
};
struct CacheAll {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.cache = CacheOperator::all; }
};
struct CacheGlobal {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.cache = CacheOperator::global; }
};
template <int Bytes>
struct L2Prefetch {
  static_assert(Bytes == 64 || Bytes == 128 || Bytes == 256,
                "tilepipe::L2Prefetch<Bytes>: Bytes must be 64, 128 or 256, as cp.async has it");
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.l2_prefetch = Bytes; }
};
struct EvictFirst {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.eviction = L2Eviction::first; }
};
struct EvictLast {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.eviction = L2Eviction::last; }
};
template <Path P>
struct Via {
  static TILEPIPE_HD constexpr void apply(LoaderConfig& c) { c.demanded = P; }
};

template <class... Options>
TILEPIPE_HD constexpr LoaderConfig configure() {
  LoaderConfig c{};
  (Options::apply(c), ...);
  return c;
}

TILEPIPE_NAMESPACE_END
