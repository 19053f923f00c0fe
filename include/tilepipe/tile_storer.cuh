// SPDX-License-Identifier: Apache-2.0
// TileStorer and StorePipeline: tiles from shared to global memory, stored while the next ones are
// computed.
#pragma once

#include "checks.cuh"
#include "config.hpp"
#include "copy/bulk_store.cuh"
#include "copy/plain_store.cuh"
#include "copy/rows.cuh"
#include "copy/tensor_store.cuh"
#include "core/ring.hpp"
#include "core/source.hpp"
#include "core/store_path.hpp"
#include "ptx/address.cuh"
#include "ptx/bulk_tensor.cuh"
#include "ptx/fence.cuh"
#include "sync/team.cuh"

TILEPIPE_NAMESPACE_BEGIN

// Describes a destination in global memory, and how tiles of type Tile travel to it: the mirror of
// TileLoader. Made inside the kernel by every thread of the team. Extents, pitches and coordinates
// are in elements.
//
// Options, in any order: Exact (default), Skip; Packed; Mapped; Aligned<n>, AnyAlignment;
// Via<Path::bulk>, Via<Path::tensor> or Via<Path::registers>; EvictFirst, EvictLast; ReduceAdd,
// which adds to what is there, atomically for each element.
//
// Alignment is promised as to TileLoader. With Skip cells outside the destination are not written;
// extents are bounds of the view, and starts may be negative.
//
// Static members: config, shape, width, path, choice(arch); see StorerTraits. Below CC 9.0, and
// where bulk stores cannot go, the path is registers: plain stores of the same results.
template <class Tile, class... Options>
class TileStorer : public StorerTraits<Tile, Options...> {
  using Traits = StorerTraits<Tile, Options...>;
  using T = typename Tile::value_type;

 public:
  using TileType = Tile;  // what it stores
  using Traits::config;
  using Traits::path;
  using Traits::rank;

#define TILEPIPE_ASSERT(name, text)                                                    \
  static_assert(this_arch == 0 || refuse_store(this_arch, path, Traits::shape, config, \
                                               Traits::addend) != StoreRefusal::name,  \
                text);
  TILEPIPE_STORE_REFUSALS(TILEPIPE_ASSERT)
#undef TILEPIPE_ASSERT

  // 1-D destination of unknown length, for Exact tiles.
  TILEPIPE_D explicit TileStorer(T* to) : TileStorer(to, unbounded) {
    static_assert(config.edge == Edge::exact,
                  "tilepipe::TileStorer<Tile, Skip> store{to}: edges need the number of elements; "
                  "pass {to, count}");
  }
  // 1-D destination of count elements.
  TILEPIPE_D TileStorer(T* to, index_t count) : to_(plain(Source<T, rank>::dense(to, count))) {}
  // 2-D destination of rows x cols, pitch elements from row to row.
  TILEPIPE_D TileStorer(T* to, index_t rows, index_t cols, index_t pitch)
      : to_(plain(Source<T, rank>::pitched(to, rows, cols, pitch))) {}
  // 3-D destination of depth x rows x cols.
  TILEPIPE_D TileStorer(T* to, index_t depth, index_t rows, index_t cols, index_t row_pitch,
                        index_t slice_pitch)
      : to_(plain(Source<T, rank>::pitched(to, depth, rows, cols, row_pitch, slice_pitch))) {}
  // Destination of any rank.
  TILEPIPE_D explicit TileStorer(const Destination<T, rank>& to) : to_(plain(to.as_source())) {}
  // Destination with a tensor map, a kernel's `const __grid_constant__` parameter, which outlives
  // the storer: the memory that its view describes is written. For Mapped storers.
  TILEPIPE_D explicit TileStorer(const TensorSource<Tile>& to) : to_(to.view), tensor_(&to) {
    static_assert(config.source == SourceKind::mapped,
                  "tilepipe::TileStorer<Tile> store{tensor_source}: a TensorSource is for Mapped "
                  "storers; say Mapped, or pass a Destination");
    if constexpr (checks_enabled) check_tensor_source("TileStorer", to);
  }
  TileStorer(const TensorSource<Tile>&&) = delete;  // the map's address would dangle

  TileStorer(const TileStorer&) = delete;
  TileStorer& operator=(const TileStorer&) = delete;

  // ---- called by Pipeline and StorePipeline ----

  // Starts the stores of the tile whose first element has the coordinates `at`: of each thread that
  // issues asynchronous ones a batch. By all threads of the group, after a barrier among those that
  // wrote the tile, and fenced.
  template <int G>
  TILEPIPE_D void issue(ThreadGroup<G> group, const Tile& tile, const Coordinates<rank>& at) const {
    const DenseRows<Tile> rows{to_, at};
    const ByteRange inside = bytes_inside<Tile>(to_.extent[rank - 1], at.at[rank - 1]);
    bool by_map = false;
    if constexpr (path == Path::tensor) by_map = tensor_->mapped == 1;
    if constexpr (checks_enabled)
      check_promise<Traits>(group, rows, inside, {"TileStorer", "Skip", "destination"}, !by_map);
    if constexpr (path == Path::tensor) {
      if (by_map && has_tensor_place(at, inside))
        tensor_store_tile<Traits>(group, issuers(group.size()), tile, tensor_->map, at);
      else  // a tile may start anywhere
        plain_store_tile<Traits, true>(group, tile, rows, inside);
    } else if constexpr (path == Path::bulk) {
      bulk_store_tile<Traits>(group, tile, rows, inside);
    } else {
      plain_store_tile<Traits, config.any_alignment>(group, tile, rows, inside);
    }
    if constexpr (Traits::stores_late)
      if (issues(group)) ptx::bulk_commit_group();
  }
  // Returns when at most Pending batches of the calling thread still read their tiles.
  template <int Pending, int G>
  static TILEPIPE_D void wait_until_read(ThreadGroup<G> group) {
    if constexpr (Traits::stores_late)
      if (issues(group)) ptx::bulk_wait_group_read<Pending>();
  }
  // When none reads its tile or, Complete, when all are.
  template <bool Complete, int G>
  static TILEPIPE_D void wait_for_stores(ThreadGroup<G> group) {
    if constexpr (!Complete)
      wait_until_read<0>(group);
    else if constexpr (Traits::stores_late)
      if (issues(group)) ptx::bulk_wait_group<0>();
  }
  // Fetches the tensor map ahead of the first store. By all threads.
  template <bool WholeWarps, int G>
  TILEPIPE_D void begin(ThreadGroup<G> group) const {
    if constexpr (path == Path::tensor)
      if (group.rank == 0) ptx::prefetch_tensor_map(&tensor_->map);
  }
  // Of loaders.
  template <int G>
  TILEPIPE_D void store_pending(ThreadGroup<G>) const {}

 private:
  // Threads of the group, from rank 0 on, that start asynchronous stores.
  static TILEPIPE_D int issuers(int group_size) {
    if (path == Path::tensor) return min_of(min_of(TensorBoxes<Tile>::boxes, 32), group_size);
    return path == Path::bulk ? bulk_issuers<Traits>(group_size) : 0;
  }
  template <int G>
  static TILEPIPE_D bool issues(ThreadGroup<G> group) {
    return group.rank < issuers(group.size());
  }
  static TILEPIPE_D const Source<T, rank>& plain(const Source<T, rank>& to) {
    static_assert(config.source != SourceKind::mapped,
                  "tilepipe::TileStorer<Tile, Mapped> store{to}: a mapped storer takes a "
                  "TensorSource<Tile>, which host::tensor_source<Tile> makes; pass one, or leave "
                  "Mapped out");
    return to;
  }

  Source<T, rank> to_;
  const TensorSource<Tile>* tensor_ = nullptr;  // of Mapped storers
};

// The slots of a StoreRing, handed to the threads that compute and from them to global memory. Made
// in the kernel by every thread:
//   StorePipeline stores{ring, storer};  StorePipeline stores{ring, team, storer};
// The team is Block<> unless said; of a team with roles the computing threads store, each group of
// them by a ring of its own. All verbs are
// called by every computing thread of the team, converged. With two slots or more a tile costs one
// barrier of the team, and Slots - 1 tiles are on their way while the next is computed.
//
// Independent of any Pipeline; ring and storer outlive it. Two of them in the same threads are
// right, but may wait for each other's stores.
template <int Slots, class Tile, class Team, class Storer>
class StorePipeline {
 public:
  using RingType = StoreRing<Tile, Slots>;  // in shared memory, placed by the user

  static_assert(is_same<typename Storer::TileType, Tile>,
                "tilepipe::StorePipeline stores{ring, store}: the storer is for another tile type; "
                "use one for the ring's tiles");

  // By every thread of the team.
  TILEPIPE_D StorePipeline(RingType& ring, Storer& storer) : StorePipeline(ring, Team{}, storer) {}
  // The same for a team that is named.
  TILEPIPE_D StorePipeline(RingType& ring, const typename NonDeduced<Team>::type& team,
                           Storer& storer)
      : ring_(ptx::pinned(ring)),
        team_(team),
        storer_(storer),
        group_{team.computing_rank(), team.computing_size()} {
    storer_.template begin<false>(group_);
  }
  // No thread leaves while stores that it issued still read the ring.
  TILEPIPE_D ~StorePipeline() { Storer::template wait_until_read<0>(group_); }

  StorePipeline(const StorePipeline&) = delete;
  StorePipeline& operator=(const StorePipeline&) = delete;

  // The slot to write next, read by no store any more; the same one until store(). Every thread may
  // write any part of it.
  TILEPIPE_D Tile& acquire() {
    if constexpr (checks_enabled)
      if (group_.rank >= group_.size())
        fail_check("tilepipe::StorePipeline::acquire: called by a thread that only loads\n");
    if constexpr (Slots == 1)
      if (stored_) {
        Storer::template wait_until_read<0>(group_);
        sync();
        stored_ = false;
      }
    acquired_ = true;
    return ring_.slot[slot_];
  }

  // Stores the slot to the tile's place: coordinates of its first element in the destination,
  // slowest first. What all threads wrote to the slot before is stored; it belongs to the store
  // from here on. Writes to the same place by two tiles in flight have no order.
  template <class... At>
  TILEPIPE_D void store(const At&... at) {
    static_assert(sizeof...(At) == Storer::rank && (is_number<At> && ...),
                  "tilepipe::StorePipeline::store(at...): a store takes one coordinate for each "
                  "extent of the tile, slowest first; pass as many numbers");
    if constexpr (checks_enabled)
      if (!acquired_)
        fail_check("tilepipe::StorePipeline::store: no slot is acquired; call acquire first\n");
    if constexpr (Storer::stores_late)
      ptx::fence_proxy_async_shared();  // by each writer, before the barrier
    // The next slot was stored Slots - 1 tiles ago; the barrier says to all that it is read.
    if constexpr (Slots > 1) Storer::template wait_until_read<Slots - 2>(group_);
    sync();
    if constexpr (sizeof...(At) == Storer::rank)
      storer_.issue(group_, ring_.slot[slot_],
                    Coordinates<Storer::rank>{{static_cast<index_t>(at)...}});
    if (++slot_ == Slots) slot_ = 0;
    stored_ = true;
    acquired_ = false;
  }

  // Returns when every store is complete: what was stored is visible to all threads of the team,
  // and the slots' memory may be used for something else, until the next acquire().
  TILEPIPE_D void drain() {
    Storer::template wait_for_stores<true>(group_);
    sync();
    stored_ = false;
  }

 private:
  TILEPIPE_D void sync() const {
    if constexpr (Team::kind == TeamKind::specialized)
      team_.sync_computing(Team::groups > 1 ? team_.group() : 0);
    else
      team_.sync_computing();
  }

  RingType& ring_;
  Team team_;
  const Storer& storer_;
  ThreadGroup<Team::computing_threads> group_;
  int slot_ = 0;
  bool stored_ = false;    // since the last drain; one slot: and not waited for
  bool acquired_ = false;  // TILEPIPE_CHECKS
};

// What has a rank, as storers do: of anything else no StorePipeline is deduced.
template <class S>
using AnyStorer = typename EnableIf<(S::rank > 0)>::type;
// StorePipeline stores{ring, storer}: the team is Block<>.
template <class Tile, int Slots, class Storer, class = AnyStorer<Storer>>
StorePipeline(StoreRing<Tile, Slots>&, Storer&) -> StorePipeline<Slots, Tile, Block<>, Storer>;
// StorePipeline stores{ring, team, storer}.
template <class Tile, int Slots, class Team, class Storer, class = typename Team::IsTeam>
StorePipeline(StoreRing<Tile, Slots>&, Team, Storer&) -> StorePipeline<Slots, Tile, Team, Storer>;

TILEPIPE_NAMESPACE_END
