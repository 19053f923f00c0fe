// SPDX-License-Identifier: Apache-2.0
// Pipeline: the protocol between the threads that load the stages of a ring and those that compute
// on them.
#pragma once

#include "config.hpp"
#include "pipeline_run.cuh"
#include "pipeline_steps.cuh"

TILEPIPE_NAMESPACE_BEGIN

// consumer_wait(writable): the caller will write to the stage.
struct Writable {};
// Said by computing threads: Stage& stage = pipe.consumer_wait(tilepipe::writable).
inline constexpr Writable writable{};

// Elements that are read or written at once.
template <class T, int Count>
struct alignas(Count * sizeof(T)) Pack {
  T element[Count];  // neighbours in a row
};

// Made in the kernel by every thread of the team, converged:
//   Pipeline pipe{ring, loaders...};  Pipeline pipe{ring, team, loaders...};  Pipeline pipe{ring,
//   team, policy, loaders...};
// The team is Block<> unless said. Stages comes from the ring; completion, arrival counts, expected
// bytes and wait depth are derived from the loaders' types. Each tile that is filled has a loader,
// which belongs to one pipeline. Among the loaders may be storers, of <tilepipe/tile_storer.cuh>:
// by them tiles leave from their stages.
//
// A ring takes another pipeline after close() of the one before.
//
// All functions are called by every thread of the team or, with roles, of the role, converged. The
// verbs may come in any logically right order; order costs time, never correctness.
template <int Stages, class Stage, int Parts, class Team, class Policy, class... Loaders>
class Pipeline {
  using Protocol = PipelineProtocol<Team, Policy, Stages, Parts, Loaders...>;
  static constexpr RegisterRefusal register_refusal =
      this_arch == 0 ? RegisterRefusal::none
                     : refuse_registers(specific_target, Team::kind == TeamKind::specialized,
                                        Team::loading_threads, Team::computing_threads,
                                        Team::groups, register_split<Policy>);

 public:
  using RingType = Ring<Stage, Stages, Parts>;  // in shared memory, placed by the user
  // In the code being compiled; automatic nowhere.
  static constexpr Completion completion = Protocol::completion;
  // In the code being compiled: whether the roles' registers are split by setmaxnreg. See
  // SplitRegisters.
  static constexpr bool splits_registers = register_split<Policy>.any() && specific_target;
  // Of computing threads that wait and release on their own: 1 but for SpecializedGroups and
  // SpecializedTurns.
  static constexpr int groups = Team::groups;

  static_assert((!Loaders::is_storer || ...),
                "tilepipe::Pipeline pipe{ring}: a pipeline needs its loaders; name them: Pipeline "
                "pipe{ring, load_a, load_b}");
#define TILEPIPE_ASSERT(name, text) static_assert(Protocol::refusal != PipelineRefusal::name, text);
  TILEPIPE_PIPELINE_REFUSALS(TILEPIPE_ASSERT)
#undef TILEPIPE_ASSERT
#define TILEPIPE_ASSERT(name, text) static_assert(register_refusal != RegisterRefusal::name, text);
  TILEPIPE_REGISTER_REFUSALS(TILEPIPE_ASSERT)
#undef TILEPIPE_ASSERT

  // By every thread of the team, converged; with groups and mbarriers it ends with a barrier of
  // the team. Ring, loaders and storers outlive the pipeline.
  TILEPIPE_D explicit Pipeline(RingType& ring, Loaders&... loaders)
      : Pipeline(ring, Team{}, Policy{}, loaders...) {}
  // The same for a team that is named. Team and policy are not deduced here: the guides below
  // decide.
  TILEPIPE_D Pipeline(RingType& ring, const typename NonDeduced<Team>::type& team,
                      Loaders&... loaders)
      : Pipeline(ring, team, Policy{}, loaders...) {}
  // The same with a policy: a completion that is demanded, an observer, or what interop::bind
  // gives.
  TILEPIPE_D Pipeline(RingType& ring, const typename NonDeduced<Team>::type& team,
                      const typename NonDeduced<Policy>::type& policy, Loaders&... loaders)
      : steps_(ring, team, policy, loaders...) {}
  // No thread leaves while stores that it issued still read the stages.
  TILEPIPE_D ~Pipeline() {
    steps_.wait_for_stores();
    steps_.observer.end();
  }

  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // ---- the four verbs ----

  // The next stage to fill; the same one until its parts are committed. By loading threads. It is
  // free of readers, or, with roles and tiles that stay in registers, will be before anything is
  // stored there. Pass its tiles to fill; what else is written there is not handed over.
  TILEPIPE_D Stage& producer_acquire() {
    if (!steps_.acquired) {
      steps_.observer.acquire(steps_.write.stage);
      steps_.acquire_stage();
      steps_.acquired = true;
    }
    return steps_.ring.stage[steps_.write.stage];
  }

  // Starts the copies of one tile of the acquired stage. Coordinates of its first element, in
  // elements of the source, slowest first: fill(load, tile, i), (row, col), (slice, row, col).
  // Gathered: (row_of, col), where row_of(r) is the source's row for row r of the tile, or
  // absent_row. By loading threads.
  template <class Loader, class Tile, class... At>
  TILEPIPE_D void fill(Loader& loader, Tile& tile, const At&... at) {
    fill(slice<0, 1>, loader, tile, at...);
  }
  // Starts part I of N of the copies, say between steps of a computation: fill(slice<I, N>, load,
  // tile, at...).
  template <int I, int N, class Loader, class Tile, class... At>
  TILEPIPE_D void fill(Slice<I, N>, Loader& loader, Tile& tile, const At&... at) {
    constexpr bool given = !Loader::is_storer && (is_same<Loader, Loaders> || ...);
    constexpr bool numbers = (is_number<At> && ...);
    constexpr bool gathered = Loader::config.source == SourceKind::gathered;
    static_assert(given,
                  "tilepipe::Pipeline::fill(load, ...): not a loader that the pipeline was given; "
                  "name it in the constructor");
    static_assert(is_same<typename Loader::TileType, Tile>,
                  "tilepipe::Pipeline::fill(load, tile, ...): the loader is for another tile type; "
                  "fill each tile by its own");
    static_assert(sizeof...(At) == Loader::rank,
                  "tilepipe::Pipeline::fill(load, tile, at...): a fill takes one coordinate for "
                  "each extent of the tile, slowest first, or (row functor, column)");
    static_assert(gathered || numbers,
                  "tilepipe::Pipeline::fill(load, tile, row_of, col): rows by a functor need "
                  "TileLoader<Tile, Gathered>");
    static_assert(!gathered || !numbers,
                  "tilepipe::Pipeline::fill(load, tile, row, col): a Gathered loader takes (row "
                  "functor, column)");
    if constexpr (given && gathered != numbers && sizeof...(At) == Loader::rank)
      steps_.template issue<Slice<I, N>>(loader, tile, at...);
  }

  // Hands over what was filled since the last commit: a part of the stage, which has Parts commits.
  // In a ring of one part a commit with nothing filled does nothing. By loading threads.
  TILEPIPE_D void producer_commit() {
    if (Parts == 1 && !steps_.filled) return;
    steps_.observer.commit(steps_.write.stage, steps_.write.part);
    steps_.publish();
    steps_.advance();
    steps_.acquired = steps_.write.part != 0;
  }

  // The oldest stage that has a part not waited for; returns when that part is readable by the
  // whole team. Several stages may be held (a window). By computing threads.
  TILEPIPE_D const Stage& consumer_wait() { return steps_.wait_part(); }
  // The same, to be written too: a later asynchronous copy into the stage is ordered after those
  // writes.
  TILEPIPE_D Stage& consumer_wait(Writable) {
    steps_.wrote = true;
    return steps_.wait_part();
  }

  // The oldest held stage was read for the last time, and may be refilled. By computing threads.
  TILEPIPE_D void consumer_release() { steps_.release_stage(false); }

  // Stores a tile of a held stage, which consumer_wait(writable) or a compute that takes Stage& may
  // have written, to its place: the coordinates of its first element in the destination, slowest
  // first. What computing threads wrote to it before is stored; from here on they do not write it.
  // The stage is not refilled before the store has read it. Visible to the team after drain(). By
  // computing threads; where there are several groups by one, which stores what it alone has
  // written.
  template <class Storer, class Tile, class... At>
  TILEPIPE_D void store(Storer& storer, const Tile& tile, const At&... at) {
    store_tile<false>(storer, tile, at...);
  }
  // The same of the oldest held stage, which the computing threads access no more: they release it
  // next. Where one thread stores and loads, that saves a barrier a tile.
  template <class Storer, class Tile, class... At>
  TILEPIPE_D void store_last(Storer& storer, const Tile& tile, const At&... at) {
    store_tile<true>(storer, tile, at...);
  }

  // ---- the loop ----

  // load(Stage&, t) and compute(const Stage&, t) for t = 0 .. tiles - 1; tiles may be of any
  // integer type, and t has it. Returns when every tile is computed or, in threads that only load,
  // when what they issued has landed; no copy is in flight and no stage held then, and run may be
  // called again. load runs in loading threads, once a tile; compute in computing threads; they
  // share no mutable state. compute may take Stage& to write to the stage, and may return
  // tilepipe::go or tilepipe::stop, the same in all threads. With several parts, load commits all
  // but the last, and compute waits for all but the first. In roles whose bytes are issued by an
  // elected thread, a run that can stop calls load in the first loading warp alone.
  template <class Count, class Load, class Compute>
  TILEPIPE_D void run(Count tiles, Load&& load, Compute&& compute) {
    PipelineRun<Steps, Count, Load, Compute> loop{steps_, tiles, load, compute};
    if constexpr (!Steps::roles) {
      if constexpr (checks_enabled)
        if (steps_.in_flight != 0 || steps_.occupied != 0)
          fail_check(
              "tilepipe::Pipeline::run: %d stages are filled or held; release them, or call "
              "drain()\n",
              steps_.occupied);
      loop.unified();
    } else if (is_producer()) {
      loop.loading();
    } else {
      loop.computing();
    }
    steps_.observer.drain();
  }

  // f(i, value) for each element i of the tile in row-major order, shared out among the computing
  // threads: neighbours get neighbours, and a thread reads four and uses them before it reads on.
  // (Reads of a whole tile batched before its writes to global memory lose up to 43 % on an H200.)
  template <class Tile, class F>
  TILEPIPE_D void for_each(const Tile& tile, F&& f) const {
    const int step = size();
    int i = steps_.rank;
#pragma unroll 1
    for (; i + 3 * step < Tile::size; i += 4 * step) {
      const auto a = tile[i], b = tile[i + step], c = tile[i + 2 * step], d = tile[i + 3 * step];
      f(i, a);
      f(i + step, b);
      f(i + 2 * step, c);
      f(i + 3 * step, d);
    }
#pragma unroll 1
    for (; i < Tile::size; i += step) f(i, tile[i]);
  }
  // The same by vectors: for_each<float4>(tile, f) calls f(i, vector) where element i is the first
  // of the vector. A vector must be aligned in the tile and stay within a row and, in a swizzled
  // tile, within 16 bytes.
  template <class Vector, class Tile, class F>
  TILEPIPE_D void for_each(const Tile& tile, F&& f) const {
    constexpr int elements = static_cast<int>(sizeof(Vector) / sizeof(typename Tile::value_type));
    static_assert(
        sizeof(Vector) % sizeof(typename Tile::value_type) == 0 && Tile::cols % elements == 0,
        "tilepipe::Pipeline::for_each<Vector>(tile, f): a row must be a whole number of vectors");
    static_assert(Tile::byte_offset(Tile::rows > 1 ? 1 : 0, 0) % alignof(Vector) == 0 &&
                      (Tile::Layout::rows_contiguous || sizeof(Vector) <= Tile::Layout::granule),
                  "tilepipe::Pipeline::for_each<Vector>(tile, f): a vector must be aligned in each "
                  "row and, in a swizzled tile, within 16 bytes; use a smaller one");
    const auto use = [&](int i) {
      f(i, *reinterpret_cast<const Vector*>(tile.storage + Tile::byte_offset(i)));
    };
    if constexpr (Team::computing_threads > 0) {  // the compiler unrolls as it sees fit
      for (int first = 0; first < Tile::size; first += Team::computing_threads * elements) {
        const int i = first + steps_.rank * elements;
        if (Tile::size % (Team::computing_threads * elements) == 0 || i < Tile::size) use(i);
      }
    } else {
#pragma unroll 1
      for (int i = steps_.rank * elements; i < Tile::size; i += size() * elements) use(i);
    }
  }

  // to[i] = f(element i) for all elements of the tile in row-major order, by the computing threads:
  // reads and writes up to 16 bytes at once where rows and the address `to` allow it. f takes and
  // returns values of up to 16 bytes; `to` is global or shared memory, dense.
  template <class Tile, class Out, class F>
  TILEPIPE_D void transform(const Tile& tile, Out* to, F&& f) const {
    using In = typename Tile::value_type;
    constexpr int elements = packed<Tile, sizeof(Out)>();
    using Ins = Pack<In, elements>;
    using Outs = Pack<Out, elements>;
    if constexpr (elements > 1) {
      if (reinterpret_cast<unsigned long long>(to) % sizeof(Outs) == 0) {
        for_each<Ins>(tile, [&](int i, Ins in) {
          Outs out;
#pragma unroll
          for (int k = 0; k < elements; ++k) out.element[k] = f(in.element[k]);
          reinterpret_cast<Outs*>(to)[static_cast<unsigned>(i) / elements] = out;
        });
        return;
      }
    }
    for_each(tile, [&](int i, const In& in) { to[i] = f(in); });
  }

  // The same in the tile itself, which is stored then: element i = f(element i).
  template <class Tile, class F>
  TILEPIPE_D void transform(Tile& tile, F&& f) const {
    using T = typename Tile::value_type;
    constexpr int elements = packed<Tile, sizeof(T)>();
    if constexpr (elements > 1) {
      for_each<Pack<T, elements>>(tile, [&](int i, Pack<T, elements> all) {
#pragma unroll
        for (int k = 0; k < elements; ++k) all.element[k] = f(all.element[k]);
        *reinterpret_cast<Pack<T, elements>*>(tile.storage + Tile::byte_offset(i)) = all;
      });
    } else {
      for_each(tile, [&](int i, const T& v) { tile[i] = f(v); });
    }
  }

  // ---- end, reuse, restart ----

  // Returns when no copy of any kind is on the way to the ring and all threads know it. Stages that
  // were filled and not waited for are dropped. Then the stages' memory may be used for something
  // else, until resume(). By all threads.
  TILEPIPE_D void drain() {
    steps_.template land<false>();
    steps_.template wait_for_stores<true>();
    steps_.team.sync();
  }
  // Before the next acquire, where the stages' memory was written after drain(). By all threads.
  TILEPIPE_D void resume() {
    if constexpr (Steps::proxies) ptx::fence_proxy_async_shared();
    steps_.team.sync();
  }
  // drain(), and the barriers end: all of the ring's memory is free. The pipeline is not used
  // again. By all threads.
  TILEPIPE_D void close() {
    drain();
    steps_.barriers.close();
    steps_.team.sync();
  }
  // The calling thread abandons the pipeline, with tiles in flight perhaps, without waiting for the
  // team. It calls nothing more; the ring's memory stays the pipeline's. By all threads of the team
  // that are still there. (Roles on a bound cuda::pipeline: as drain(), since its barriers end with
  // its last thread.)
  TILEPIPE_D void leave() { steps_.template land<!Steps::leaves_together>(); }
  // Before the first fill from memory that the same grid wrote; the caller has ordered those writes
  // before this call.
  TILEPIPE_D void acquire_source() {
    if constexpr (Steps::proxies) ptx::fence_proxy_async_global();
  }

  // ---- the computing threads, the same words in every role; those of the calling thread's group
  // where there are several ----

  // Rank among them, 0 to size() - 1; size() and more in a thread that only loads.
  TILEPIPE_D int rank() const { return steps_.rank; }
  // Their number.
  TILEPIPE_D int size() const { return steps_.team.computing_size(); }
  // A barrier among them.
  TILEPIPE_D void sync() { steps_.team.sync_computing(steps_.consumer_group); }
  // Number of the calling thread's group, 0 to groups - 1; groups and more in a thread that only
  // loads.
  TILEPIPE_D int group() const { return steps_.consumer_group; }
  // Whether the calling thread only loads.
  TILEPIPE_D bool is_producer() const { return steps_.is_producer(); }

 private:
  template <bool Last, class Storer, class Tile, class... At>
  TILEPIPE_D void store_tile(Storer& storer, const Tile& tile, const At&... at) {
    constexpr bool given = Storer::is_storer && (is_same<Storer, Loaders> || ...);
    constexpr bool places = sizeof...(At) == Storer::rank && (is_number<At> && ...);
    static_assert(
        given,
        "tilepipe::Pipeline::store(store, ...): not a storer of the pipeline; name it in the "
        "constructor");
    static_assert(is_same<typename Storer::TileType, Tile>,
                  "tilepipe::Pipeline::store(store, tile, ...): the storer is for another tile "
                  "type; store each tile by its own");
    static_assert(places,
                  "tilepipe::Pipeline::store(store, tile, at...): a store takes one coordinate for "
                  "each extent of the tile, slowest first");
    if constexpr (given && places)
      steps_.template store<Last>(storer, tile,
                                  Coordinates<Storer::rank>{{static_cast<index_t>(at)...}});
  }
  // Elements of a tile that go at once to or from as many of `bytes` bytes.
  template <class Tile, int Bytes>
  static TILEPIPE_HD constexpr int packed() {
    constexpr int from = static_cast<int>(sizeof(typename Tile::value_type));
    constexpr int elements = 16 % from == 0 && 16 % Bytes == 0 ? 16 / max_of(from, Bytes) : 1;
    return Tile::cols % elements == 0 && elements * from <= Tile::Layout::granule ? elements : 1;
  }

  using Steps = PipelineSteps<Stages, Stage, Parts, Team, Policy, Loaders...>;
  Steps steps_;
};

// Pipeline pipe{ring, loaders...}: the team is Block<>, the library chooses the completion.
template <class Stage, int Stages, int Parts, class... Loaders, class = AllLoaders<Loaders...>>
Pipeline(Ring<Stage, Stages, Parts>&, Loaders&...)
    -> Pipeline<Stages, Stage, Parts, Block<>, Policy<>, Loaders...>;
// Pipeline pipe{ring, team, loaders...}.
template <class Stage, int Stages, int Parts, class Team, class... Loaders,
          class = typename Team::IsTeam, class = AllLoaders<Loaders...>>
Pipeline(Ring<Stage, Stages, Parts>&, Team, Loaders&...)
    -> Pipeline<Stages, Stage, Parts, Team, Policy<>, Loaders...>;
// Pipeline pipe{ring, team, policy, loaders...}.
template <class Stage, int Stages, int Parts, class Team, class Policy, class... Loaders,
          class = typename Team::IsTeam, class = typename Policy::IsPolicy,
          class = AllLoaders<Loaders...>>
Pipeline(Ring<Stage, Stages, Parts>&, Team, Policy, Loaders&...)
    -> Pipeline<Stages, Stage, Parts, Team, Policy, Loaders...>;

TILEPIPE_NAMESPACE_END
