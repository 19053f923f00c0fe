// SPDX-License-Identifier: Apache-2.0
// Which path the bytes of a tile take from shared to global memory, and what can be added there.
#pragma once

#include "completion.hpp"
#include "copy_plan.hpp"
#include "path.hpp"
#include "tile.hpp"

// CUDA's 16-bit floating-point types, declared here because their headers are not included.
struct __half;
struct __nv_bfloat16;

TILEPIPE_NAMESPACE_BEGIN

// A type as the adding instructions know it. Signed integers add as unsigned ones do.
enum class Addend { none, u32, u64, f16, bf16, f32, f64 };
template <class T>
inline constexpr Addend addend_of = Addend::none;
template <>
inline constexpr Addend addend_of<int> = Addend::u32;
template <>
inline constexpr Addend addend_of<unsigned> = Addend::u32;
template <>
inline constexpr Addend addend_of<long> = sizeof(long) == 8 ? Addend::u64 : Addend::u32;
template <>
inline constexpr Addend addend_of<unsigned long> = addend_of<long>;
template <>
inline constexpr Addend addend_of<long long> = Addend::u64;
template <>
inline constexpr Addend addend_of<unsigned long long> = Addend::u64;
template <>
inline constexpr Addend addend_of<__half> = Addend::f16;
template <>
inline constexpr Addend addend_of<__nv_bfloat16> = Addend::bf16;
template <>
inline constexpr Addend addend_of<float> = Addend::f32;
template <>
inline constexpr Addend addend_of<double> = Addend::f64;

#define TILEPIPE_STORE_REFUSALS(X)                                                                 \
  X(store_option_of_loads,                                                                         \
    "tilepipe::TileStorer<Tile, Options...>: ZeroFill, Gathered, CacheAll, CacheGlobal and "       \
    "L2Prefetch are options of loads; leave them out")                                             \
  X(store_cp_async,                                                                                \
    "tilepipe::TileStorer<Tile, Via<Path::cp_async>>: cp.async copies from global to shared "      \
    "memory alone; leave Via out to let the library choose")                                       \
  X(store_libcudacxx,                                                                              \
    "tilepipe::TileStorer<Tile, Via<Path::libcudacxx>>: cuda::memcpy_async does not store "        \
    "asynchronously; leave Via out to let the library choose")                                     \
  X(store_tensor_needs_sm90,                                                                       \
    "tilepipe::TileStorer<Tile, Via<Path::tensor>>: tensor stores need compute "                   \
    "capability 9.0; leave Via out to let the library choose")                                     \
  X(store_tensor_needs_map,                                                                        \
    "tilepipe::TileStorer<Tile, Via<Path::tensor>>: tensor stores need a tensor map; say "         \
    "Mapped and pass a TensorSource, or leave Via out")                                            \
  X(store_tensor_tile,                                                                             \
    "tilepipe::TileStorer<Tile, Mapped, Via<Path::tensor>>: tensor stores need rows of a "         \
    "multiple of 16 bytes, without gaps, that cut into boxes; leave Via out, or use "              \
    "another tile")                                                                                \
  X(store_tensor_add,                                                                              \
    "tilepipe::TileStorer<Tile, Mapped, ReduceAdd, Via<Path::tensor>>: tensor stores add no "      \
    "double; leave Via out: bulk stores do")                                                       \
  X(store_bulk_needs_sm90,                                                                         \
    "tilepipe::TileStorer<Tile, Via<Path::bulk>>: bulk stores need compute capability 9.0; leave " \
    "Via out to let the library choose")                                                           \
  X(store_bulk_swizzle,                                                                            \
    "tilepipe::TileStorer<SwizzledTile, Via<Path::bulk>>: bulk stores read rows as they are and "  \
    "do not swizzle; use Tile or PaddedTile, or leave Via out")                                    \
  X(store_bulk_needs_sixteen_bytes,                                                                \
    "tilepipe::TileStorer<Tile, Via<Path::bulk>>: bulk stores need 16-byte alignment of rows, "    \
    "pitch and layout; leave Via out to let the library choose")                                   \
  X(store_add_type,                                                                                \
    "tilepipe::TileStorer<Tile, ReduceAdd>: global memory adds int, long long and their unsigned " \
    "types, float, double, __half and __nv_bfloat16; use one of them, or leave ReduceAdd out")

#define TILEPIPE_STORE_NAME(name, text) name,
#define TILEPIPE_STORE_CASE(name, text) \
  case StoreRefusal::name:              \
    return text;
enum class StoreRefusal { none, TILEPIPE_STORE_REFUSALS(TILEPIPE_STORE_NAME) };
TILEPIPE_HD constexpr const char* sentence(StoreRefusal r) {
  switch (r) {
    TILEPIPE_STORE_REFUSALS(TILEPIPE_STORE_CASE)
    default:
      return "";
  }
}
#undef TILEPIPE_STORE_NAME
#undef TILEPIPE_STORE_CASE

// Whether the tile can be stored by path p on the architecture, and if not, why. Addend: of its
// elements, where they are to be added.
TILEPIPE_HD constexpr StoreRefusal refuse_store(int arch, Path p, TileShape s, LoaderConfig c,
                                                Addend addend) {
  if (c.edge == Edge::zero_fill || c.source == SourceKind::gathered ||
      c.cache != CacheOperator::automatic || c.l2_prefetch != 0)
    return StoreRefusal::store_option_of_loads;
  if (c.add && addend == Addend::none) return StoreRefusal::store_add_type;
  switch (p) {
    case Path::cp_async:
      return StoreRefusal::store_cp_async;
    case Path::libcudacxx:
      return StoreRefusal::store_libcudacxx;
    case Path::tensor:
      if (!arch_traits(arch).bulk) return StoreRefusal::store_tensor_needs_sm90;
      if (c.source != SourceKind::mapped) return StoreRefusal::store_tensor_needs_map;
      if ((s.rows_contiguous && !s.gapless) || s.row_bytes % 16 != 0 || !s.boxes_fit)
        return StoreRefusal::store_tensor_tile;
      // In the table of "cp.reduce.async.bulk.tensor", PTX ISA, double is not.
      if (c.add && addend == Addend::f64) return StoreRefusal::store_tensor_add;
      return StoreRefusal::none;
    case Path::bulk:
      if (!arch_traits(arch).bulk) return StoreRefusal::store_bulk_needs_sm90;
      if (!s.rows_contiguous) return StoreRefusal::store_bulk_swizzle;
      if (promised_alignment(s, c) < 16) return StoreRefusal::store_bulk_needs_sixteen_bytes;
      return StoreRefusal::none;
    default:
      return StoreRefusal::none;
  }
}

// A bulk store a row pays from this many bytes a row on, see docs/paths.md.
inline constexpr int bulk_store_row_bytes = 2048;

// How a tile is stored on an architecture (75, 80, 90, ...), and why: by tensor or bulk stores, or
// through registers by plain ones. What is demanded is answered as demanded, also where
// refuse_store() refuses it. Addend: as there.
TILEPIPE_HD constexpr Choice choose_store(int arch, TileShape s, LoaderConfig c, Addend addend) {
  const int w = promised_alignment(s, c);
  const bool one_run = s.gapless && (s.rows == 1 || (c.packed && c.edge == Edge::exact));
  const int run = one_run ? s.rows * s.row_bytes : s.row_bytes;
  if (c.demanded != Path::automatic)
    return {c.demanded,
            c.demanded == Path::bulk     ? run
            : c.demanded == Path::tensor ? s.box_bytes
                                         : w,
            "demanded by the kernel"};
  if (c.source == SourceKind::mapped &&
      refuse_store(arch, Path::tensor, s, c, addend) == StoreRefusal::none)
    return {Path::tensor, s.box_bytes, "a tensor map, box by box"};
  const bool bulk = arch_traits(arch).bulk && s.rows_contiguous && w == 16;
  if (bulk && one_run) return {Path::bulk, run, "one run of bytes, 16-byte aligned"};
  if (bulk && s.row_bytes >= bulk_store_row_bytes)
    return {Path::bulk, run, "rows of 2 KiB and more, 16-byte aligned"};
  return {Path::registers, w,
          !arch_traits(arch).bulk ? "bulk stores need compute capability 9.0"
          : !s.rows_contiguous    ? "bulk stores do not swizzle"
          : w < 16                ? "bulk stores need 16-byte alignment"
                                  : "rows under 2 KiB: a bulk store a row would be slower"};
}

// What a tile type and the options of its storer decide at compile time.
template <class Tile_, class... Options>
struct StorerTraits {
  using Tile = Tile_;
  static constexpr LoaderConfig config = configure<Options...>();
  static constexpr TileShape shape = shape_of<Tile>();
  static constexpr int rank = Tile::rank;
  static constexpr Addend addend = addend_of<typename Tile::value_type>;
  // Bytes that are promised to be aligned.
  static constexpr int width = promised_alignment(shape, config);
  using Plan = ChunkPlan<Tile::rows, Tile::row_bytes, width>;

  // Path, bytes at once and reason on any architecture (75, 80, 90, ...).
  static TILEPIPE_HD constexpr Choice choice(int arch) {
    const Choice c = choose_store(arch, shape, config, addend);
    const bool by_element = config.add && c.path == Path::registers;
    return {c.path, by_element ? static_cast<int>(sizeof(typename Tile::value_type)) : c.width,
            c.reason};
  }
  // In the code being compiled.
  static constexpr Path path = choice(this_arch).path;

  // Beside loaders in a pipeline: stores, asynchronously perhaps, so that a stage is read after its
  // release.
  static constexpr bool is_storer = true;
  static constexpr bool stores_late = path == Path::bulk || path == Path::tensor;
  // Whether the tile is one run of bytes; and whether one thread stores all of it, in bulk.
  static constexpr bool one_run =
      shape.gapless && (Tile::rows == 1 || (config.packed && config.edge == Edge::exact));
  static constexpr bool stores_alone = path == Path::bulk && one_run && config.edge == Edge::exact;
  // It brings nothing to a stage, and so changes nothing in how stages are filled.
  template <TeamKind Team, Completion Demanded>
  static constexpr Path path_in = Path::automatic;
  template <Path P>
  static TILEPIPE_HD constexpr bool one_issuer() {
    return true;
  }
  static constexpr bool stores_at_issue = false;
  template <int Threads>
  static constexpr bool stays_in_registers = true;

  // Where a byte of a tile's row lies in its storage.
  static TILEPIPE_HD constexpr int offset(int row, int byte) {
    return Tile::Layout::offset(row, byte, Tile::rows, Tile::row_bytes);
  }
};

TILEPIPE_NAMESPACE_END
