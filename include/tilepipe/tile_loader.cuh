// SPDX-License-Identifier: Apache-2.0
// TileLoader: moves tiles from one source in global memory into the stages of a pipeline.
#pragma once

#include "checks.cuh"
#include "config.hpp"
#include "copy/any_alignment.cuh"
#include "copy/bulk.cuh"
#include "copy/cp_async.cuh"
#include "copy/registers.cuh"
#include "copy/rows.cuh"
#include "copy/tensor.cuh"
#include "core/loader_traits.hpp"
#include "core/source.hpp"

TILEPIPE_NAMESPACE_BEGIN

// What Pipeline::fill hands to a loader: who copies, and where bytes are counted. Protocol: of the
// pipeline.
template <class Protocol_, class Completion>
struct IssueContext {
  using Protocol = Protocol_;
  using Team = typename Protocol::Team;
  using CompletionType = Completion;
  // Ranks 0..31 of the group are one warp.
  static constexpr bool whole_warps = Team::kind != TeamKind::group;
  Completion& completion;
  ThreadGroup<Team::loading_threads> group;
  unsigned full;    // shared address of the part's full barrier
  unsigned& bytes;  // that the part will expect
};

// Describes a source, and how tiles of type Tile travel from it. Made inside the kernel by every
// thread of the team, one object for each tile of the stage; it may hold register fragments, so
// pass pointers and extents (or a Source) to the kernel, not loaders. Extents, pitches and
// coordinates are in elements.
//
// Options, in any order: Exact (default), ZeroFill, Skip; Gathered; Mapped; Packed; Aligned<n>,
// AnyAlignment; CacheAll, CacheGlobal; L2Prefetch<n>; EvictFirst, EvictLast; Via<path>.
//
// Alignment: base, pitch and the first element of each tile are promised to be multiples of `width`
// bytes, by default the widest that the row length allows, at most 16. Aligned<n> lowers it,
// AnyAlignment promises nothing. A broken promise is found by host::check_source, by
// TILEPIPE_CHECKS, or by the hardware's trap.
//
// Static members: config, shape, width, path, choice(arch), fragment_bytes(threads); see
// LoaderTraits.
template <class Tile, class... Options>
class TileLoader : public LoaderTraits<Tile, Options...> {
  using Traits = LoaderTraits<Tile, Options...>;
  using T = typename Tile::value_type;

 public:
  using TileType = Tile;  // what it fills
  using Traits::config;
  using Traits::path;
  using Traits::rank;
  using Traits::shape;
  using Traits::width;

#define TILEPIPE_ASSERT(name, text) \
  static_assert(                    \
      this_arch == 0 || refuse_path(this_arch, path, shape, config) != PathRefusal::name, text);
  TILEPIPE_PATH_REFUSALS(TILEPIPE_ASSERT)
#undef TILEPIPE_ASSERT
  static_assert(config.source != SourceKind::gathered || rank == 2,
                "tilepipe::TileLoader<Tile, Gathered>: a gathered tile has rows and columns; use "
                "Tile<T, Rows, Cols>");

  static_assert(!config.add,
                "tilepipe::TileLoader<Tile, ReduceAdd>: a load does not add; use ReduceAdd with "
                "TileStorer, or leave it out");

  // 1-D source of unknown length, for Exact tiles.
  TILEPIPE_D explicit TileLoader(const T* source)
      : TileLoader(Source<T, rank>::dense(source, unbounded)) {
    static_assert(config.edge == Edge::exact,
                  "tilepipe::TileLoader<Tile, ZeroFill or Skip> load{source}: edges need the "
                  "number of elements; pass {source, count}");
  }
  // 1-D source of count elements.
  TILEPIPE_D TileLoader(const T* source, index_t count)
      : TileLoader(Source<T, rank>::dense(source, count)) {}
  // 2-D source of rows x cols, pitch elements from row to row.
  TILEPIPE_D TileLoader(const T* source, index_t rows, index_t cols, index_t pitch)
      : TileLoader(Source<T, rank>::pitched(source, rows, cols, pitch)) {}
  // 3-D source of depth x rows x cols.
  TILEPIPE_D TileLoader(const T* source, index_t depth, index_t rows, index_t cols,
                        index_t row_pitch, index_t slice_pitch)
      : TileLoader(Source<T, rank>::pitched(source, depth, rows, cols, row_pitch, slice_pitch)) {}
  // Source of any rank.
  TILEPIPE_D explicit TileLoader(const Source<T, rank>& source) : source_(source) {
    static_assert(config.source != SourceKind::mapped,
                  "tilepipe::TileLoader<Tile, Mapped> load{source}: a mapped loader takes a "
                  "TensorSource<Tile>, which host::tensor_source<Tile> makes; pass one, or leave "
                  "Mapped out");
  }
  // Source with a tensor map, a kernel's `const __grid_constant__` parameter, which outlives the
  // loader. For Mapped loaders.
  TILEPIPE_D explicit TileLoader(const TensorSource<Tile>& source)
      : source_(source.view), map_(&source.map) {
    static_assert(config.source == SourceKind::mapped,
                  "tilepipe::TileLoader<Tile> load{tensor_source}: a TensorSource is for Mapped "
                  "loaders; say Mapped, or pass tensor_source.view");
    if constexpr (checks_enabled) check_tensor_source("TileLoader", source);
    if constexpr (path == Path::tensor)
      if (source.mapped == 0)
        fail_check(
            "tilepipe::TileLoader<Tile, Mapped>: the TensorSource has no map, since a rule of maps "
            "is broken, as host::tensor_source said; load source.view by a loader that is not "
            "Mapped\n");
  }
  TileLoader(const TensorSource<Tile>&&) = delete;  // the map's address would dangle

  TileLoader(const TileLoader&) = delete;
  TileLoader& operator=(const TileLoader&) = delete;

  // ---- called by Pipeline ----

  // Issues a slice of the copies of the tile whose first element has the coordinates `at`.
  template <class Slice, class Context>
  TILEPIPE_D void issue(const Context& context, Tile& tile, const Coordinates<rank>& at) {
    const DenseRows<Tile> rows{source_, at};
    if constexpr (path_of<Context> == Path::tensor)
      issue_tensor<Slice>(context, tile, rows, at);
    else
      issue_rows<Slice>(context, tile, rows, at.at[rank - 1]);
  }
  // The same of a tile whose row r is row row_of(r) of the source, or absent_row.
  template <class Slice, class Context, class RowOf>
  TILEPIPE_D void issue_gathered(const Context& context, Tile& tile, const RowOf& row_of,
                                 index_t col) {
    issue_rows<Slice>(context, tile, GatheredRows<Tile, RowOf>{source_, row_of, col}, col);
  }
  // The pipeline is made: fetches the tensor map ahead of the first copy. By all threads of the
  // team; WholeWarps: its warps are whole.
  template <bool WholeWarps, int G>
  TILEPIPE_D void begin(ThreadGroup<G> group) {
    if constexpr (path == Path::tensor) {
      if (group.rank == 0) ptx::prefetch_tensor_map(map_);
      // Else the address is computed and moved to a register of the warp at each copy (by roles
      // 0.94 of the loop by hand at 4 stages instead of 0.99; bench/README.md).
      if constexpr (WholeWarps) map_ = ptx::warp_uniform(map_);
    }
  }
  // Whether a tile is on its way through registers.
  TILEPIPE_D bool pending() const { return path == Path::registers && fragments_.pending(); }
  // Of storers.
  template <bool Complete, int G>
  static TILEPIPE_D void wait_for_stores(ThreadGroup<G>) {}
  // Second phase of the register path: what was fetched goes to shared memory.
  template <int G>
  TILEPIPE_D void store_pending(ThreadGroup<G> group) {
    if constexpr (path == Path::registers) fragments_.store(group);
  }

 private:
  template <class Context>
  static constexpr Path path_of =
      Traits::template path_in<Context::Team::kind, Context::Protocol::demanded>;

  template <class Slice, class Context>
  TILEPIPE_D void issue_tensor(const Context& context, Tile& tile, const DenseRows<Tile>& rows,
                               const Coordinates<rank>& at) {
    const ByteRange inside = bytes_inside<Tile>(source_.extent[rank - 1], at.at[rank - 1]);
    if constexpr (checks_enabled)
      check_promise<Traits>(context.group, rows, inside,
                            {"TileLoader", "ZeroFill or Skip", "source"});
    context.bytes += tensor_tile<Traits, Slice, Context::whole_warps>(
        context.group, context.completion, tile, *map_, at, context.full);
  }

  template <class Slice, class Context, class Rows>
  TILEPIPE_D void issue_rows(const Context& context, Tile& tile, const Rows& rows, index_t col) {
    constexpr Path taken = path_of<Context>;
    const ByteRange inside = bytes_inside<Tile>(source_.extent[rank - 1], col);
    if constexpr (checks_enabled)
      check_promise<Traits>(context.group, rows, inside,
                            {"TileLoader", "ZeroFill or Skip", "source"});
    if constexpr (taken == Path::libcudacxx) {
      issue_foreign<Slice>(context, tile, rows);
    } else if constexpr (config.any_alignment) {
      any_alignment_tile<Traits, Slice>(context.group, tile, rows, inside);
    } else if constexpr (taken == Path::registers) {
      // A loader that fills twice before a store: right, without overlap for the first tile.
      if (fragments_.pending_elsewhere(tile)) fragments_.store(context.group);
      fragments_.template fetch<Slice>(context.group, tile, rows, inside);
    } else if constexpr (taken == Path::cp_async) {
      cp_async_tile<Traits, Slice>(context.group, tile, rows, inside);
    } else {
      context.bytes += bulk_tile<Traits, Slice, Context::whole_warps>(
          context.group, context.completion, tile, rows, inside, context.full);
    }
  }

  // A foreign completion says how many bytes of a row one call of one thread copies.
  template <class Slice, class Context, class Rows>
  TILEPIPE_D void issue_foreign(const Context& context, Tile& tile, const Rows& rows) {
    constexpr int run = Context::CompletionType::template run_bytes<width, Tile::row_bytes>;
    using Runs = ChunkPlan<Tile::rows, Tile::row_bytes, run>;
    Runs::template for_each<Slice>(context.group, [&](const typename Runs::Chunk& chunk) {
      context.completion.template copy<width, run>(
          tile.storage + Traits::offset(chunk.row, chunk.start()), chunk.in(rows(chunk.row).start),
          context.full);
    });
  }

  Source<T, rank> source_;
  const TensorMap* map_ = nullptr;  // of Mapped loaders
  Fragments<Traits> fragments_;     // registers alone; untouched, and so no register, otherwise
};

TILEPIPE_NAMESPACE_END
