// SPDX-License-Identifier: Apache-2.0
// Pipeline: the protocol between the threads that load the stages of a ring and those that compute on them.
#pragma once

#include "config.hpp"
#include "core/completion.hpp"
#include "core/ring.hpp"
#include "loader_set.cuh"
#include "observer.cuh"
#include "ptx/fence.cuh"
#include "sync/foreign.cuh"
#include "sync/groups.cuh"
#include "sync/mbarrier.cuh"
#include "sync/named_barrier.cuh"
#include "sync/team.cuh"
#include "tile_loader.cuh"

TILEPIPE_NAMESPACE_BEGIN

// What compute may return: whether run goes on.
enum class Flow { go, stop };
inline constexpr Flow go = Flow::go;
inline constexpr Flow stop = Flow::stop;

// consumer_wait(writable): the caller will write to the stage.
struct Writable {};
inline constexpr Writable writable{};

// What a completion knows of its pipeline.
template <class Team_, int Stages, int Parts, class... Loaders>
struct PipelineProtocol {
  using Team = Team_;
  static constexpr int stages = Stages;
  static constexpr int parts = Parts;
  static constexpr PathSet paths = paths_of<Loaders...>();
};

template <Completion C, class Protocol, class Policy>
struct CompletionOf;
template <class Protocol, class Policy>
struct CompletionOf<Completion::groups, Protocol, Policy> {
  using type = GroupsCompletion<Protocol>;
};
template <class Protocol, class Policy>
struct CompletionOf<Completion::mbarrier, Protocol, Policy> {
  using type = MbarrierCompletion<Protocol>;
};
template <class Protocol, class Policy>
struct CompletionOf<Completion::named_barrier, Protocol, Policy> {
  using type = NamedBarrierCompletion<Protocol>;
};
template <class Protocol, class Policy>
struct CompletionOf<Completion::foreign, Protocol, Policy> {
  using type = typename Policy::template Foreign<Protocol>;
};

// Made in the kernel by every thread of the team, converged:
//   Pipeline pipe{ring, loaders...};  Pipeline pipe{ring, team, loaders...};  Pipeline pipe{ring, team, policy, loaders...};
// The team is Block<> unless said. Stages comes from the ring; completion, arrival counts, expected bytes and wait depth are
// derived from the loaders' types. Each tile of a stage has a loader; a loader belongs to one pipeline.
//
// All functions are called by every thread of the team or, with roles, of the role, converged. The verbs may come in any
// logically right order; order costs time, never correctness.
template <int Stages, class Stage, int Parts, class Team, class Policy, class... Loaders>
class Pipeline {
  using Protocol = PipelineProtocol<Team, Stages, Parts, Loaders...>;
  using Position = RingPosition<Stages, Parts>;
  static constexpr PathSet paths = Protocol::paths;
  static constexpr bool roles = Team::kind == TeamKind::specialized;

 public:
  using RingType = Ring<Stage, Stages, Parts>;
  static constexpr Completion completion =
      choose_completion(this_arch, Team::kind, Stages, paths, Policy::completion);

  static_assert(sizeof...(Loaders) > 0,
                "tilepipe::Pipeline pipe{ring}: a pipeline needs its loaders; name them: Pipeline pipe{ring, load_a, load_b}");
#define TILEPIPE_ASSERT(name, text)                                                                           \
  static_assert(this_arch == 0 || refuse_pipeline(this_arch, Team::kind, Stages, Parts, paths, completion,    \
                                                  Team::first_barrier) != PipelineRefusal::name,              \
                text);
  TILEPIPE_PIPELINE_REFUSALS(TILEPIPE_ASSERT)
#undef TILEPIPE_ASSERT

  TILEPIPE_D explicit Pipeline(RingType& ring, Loaders&... loaders) : Pipeline(ring, Team{}, Policy{}, loaders...) {}
  // Team and policy are not deduced here: the guides below decide.
  TILEPIPE_D Pipeline(RingType& ring, const typename NonDeduced<Team>::type& team, Loaders&... loaders)
      : Pipeline(ring, team, Policy{}, loaders...) {}
  TILEPIPE_D Pipeline(RingType& ring, const typename NonDeduced<Team>::type& team,
                      const typename NonDeduced<Policy>::type& policy, Loaders&... loaders)
      : ring_(ptx::pinned(ring)),
        team_(team),
        loaders_(loaders...),
        completion_(ring.barriers, team, policy),
        observer_(policy.observer),
        group_{team.loading_rank(), team.loading_size()},
        rank_(team.computing_rank()) {
    observer_.begin({Stages, Parts, !roles || is_producer(), !roles || !is_producer()});
  }
  TILEPIPE_D ~Pipeline() { observer_.end(); }

  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // ---- the four verbs ----

  // The next stage to fill, free of readers; the same one until its parts are committed. By loading threads. Pass its
  // tiles to fill; what else is written there is not handed over.
  TILEPIPE_D Stage& producer_acquire() {
    if (!acquired_) {
      observer_.acquire(write_.stage);
      acquire_stage();
      acquired_ = true;
    }
    return ring_.stage[write_.stage];
  }

  // Starts the copies of one tile of the acquired stage. Coordinates of its first element, in elements of the source,
  // slowest first: fill(load, tile, i), (row, col), (slice, row, col). Gathered: (row_of, col), where row_of(r) is the
  // source's row for row r of the tile, or absent_row. By loading threads.
  template <class Loader, class Tile, class... At>
  TILEPIPE_D void fill(Loader& loader, Tile& tile, const At&... at) {
    fill_slice<Whole>(loader, tile, at...);
  }
  // Starts part I of N of the copies, say between steps of a computation: fill(slice<I, N>, load, tile, at...).
  template <int I, int N, class Loader, class Tile, class... At>
  TILEPIPE_D void fill(Slice<I, N>, Loader& loader, Tile& tile, const At&... at) {
    fill_slice<Slice<I, N>>(loader, tile, at...);
  }

  // Hands over what was filled since the last commit: a part of the stage, which has Parts commits. In a ring of one
  // part a commit with nothing filled does nothing. By loading threads.
  TILEPIPE_D void producer_commit() {
    if (Parts == 1 && !filled_) return;
    observer_.commit(write_.stage, write_.part);
    publish();
    advance();
    acquired_ = write_.part != 0;
  }

  // The oldest stage that has a part not waited for; returns when that part is readable by the whole team. Several
  // stages may be held (a window). By computing threads.
  TILEPIPE_D const Stage& consumer_wait() { return wait_part(); }
  // The same, to be written too: a later asynchronous copy into the stage is ordered after those writes.
  TILEPIPE_D Stage& consumer_wait(Writable) {
    wrote_ = true;
    return wait_part();
  }

  // The oldest held stage was read for the last time, and may be refilled. By computing threads.
  TILEPIPE_D void consumer_release() {
    if constexpr (proxies)
      if (wrote_) ptx::fence_proxy_async_shared();
    release_stage();
  }

  // ---- the loop ----

  // load(Stage&, t) and compute(const Stage&, t) for t = 0 .. tiles - 1; tiles may be of any integer type, and t has it.
  // Returns when every tile is computed, with nothing in flight or held; may be called again. load runs in loading
  // threads, once a tile; compute in computing threads; they share no mutable state. compute may take Stage& to write
  // to the stage, and may return tilepipe::go or tilepipe::stop, the same in all threads. With several parts, load
  // commits all but the last, and compute waits for all but the first. In roles whose bytes are issued by an elected
  // thread, a run that can stop calls load in the first loading warp alone.
  template <class Count, class Load, class Compute>
  TILEPIPE_D void run(Count tiles, Load&& load, Compute&& compute) {
    if constexpr (roles) {
      if (is_producer())
        run_producer<stoppable<Count, Compute>>(tiles, load);
      else
        run_consumer(tiles, compute);
    } else {
      if constexpr (checks_enabled)
        if (in_flight_ != 0 || occupied_ != 0)
          fail_check("tilepipe::Pipeline::run: %d stages are filled or held; release them, or call drain()\n", occupied_);
      run_unified(tiles, load, compute);
    }
    observer_.drain();
  }

  // f(i, value) for each element i of the tile in row-major order, shared out among the computing threads: neighbours get
  // neighbours, and a thread reads four and uses them before it reads on. (Reads of a whole tile batched before its writes
  // to global memory lose up to 43 % on an H200.)
  template <class Tile, class F>
  TILEPIPE_D void for_each(const Tile& tile, F&& f) const {
    const int step = size();
    int i = rank_;
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
  // The same by vectors: for_each<float4>(tile, f) calls f(i, vector) where element i is the first of the vector. A vector
  // must be aligned in the tile and stay within a row and, in a swizzled tile, within 16 bytes.
  template <class Vector, class Tile, class F>
  TILEPIPE_D void for_each(const Tile& tile, F&& f) const {
    constexpr int elements = static_cast<int>(sizeof(Vector) / sizeof(typename Tile::value_type));
    static_assert(sizeof(Vector) % sizeof(typename Tile::value_type) == 0 && Tile::cols % elements == 0,
                  "tilepipe::Pipeline::for_each<Vector>(tile, f): a row must be a whole number of vectors");
#pragma unroll 1
    for (int i = rank_ * elements; i < Tile::size; i += size() * elements)
      f(i, tile.template as<Vector>(i / Tile::cols, i % Tile::cols));
  }

  // ---- end, reuse, restart ----

  // Returns when no copy of any kind is on the way to the ring and all threads know it. Stages that were filled and not
  // waited for are dropped. Then the stages' memory may be used for something else, until resume(). By all threads.
  TILEPIPE_D void drain() {
    land();
    team_.sync();
    unfreed_ = 0;
  }
  // Before the next acquire, where the stages' memory was written after drain(). By all threads.
  TILEPIPE_D void resume() {
    if constexpr (proxies) ptx::fence_proxy_async_shared();
    team_.sync();
  }
  // drain(), and the barriers end: all of the ring's memory is free. The pipeline is not used again. By all threads.
  TILEPIPE_D void close() {
    drain();
    completion_.close();
    team_.sync();
  }
  // The calling thread abandons the pipeline, with tiles in flight perhaps, without waiting for the team. It calls nothing
  // more; the ring's memory stays the pipeline's. By all threads of the team that are still there.
  TILEPIPE_D void leave() { land(); }
  // Before the first fill from memory that the same grid wrote; the caller has ordered those writes before this call.
  TILEPIPE_D void acquire_source() {
    if constexpr (proxies) ptx::fence_proxy_async_global();
  }

  // ---- the computing threads, the same words in every role ----

  TILEPIPE_D int rank() const { return rank_; }  // size() and more in a thread that only loads
  TILEPIPE_D int size() const { return team_.computing_size(); }
  TILEPIPE_D void sync() { team_.sync_computing(); }  // a barrier among them
  TILEPIPE_D bool is_producer() const { return roles && rank_ >= Team::computing_threads; }

 private:
  template <class Count, class Compute>
  static constexpr bool reads_only = takes_const<Compute, Stage, Count>;
  template <class Count, class Compute>
  static constexpr bool stoppable = is_same<ComputeResult<Compute, Stage, Count>, Flow>;

  // ---- steps of the verbs ----

  TILEPIPE_D void acquire_stage() {
    store_pending();
    if constexpr (!roles) {
      if (!acquire_frees && occupied_ + unfreed_ >= Stages) free_released();
      ++occupied_;
    }
    completion_.acquire(write_);
  }
  // After a barrier of the team every released stage is free.
  TILEPIPE_D void free_released() {
    team_.sync();
    unfreed_ = 0;
  }

  template <class Slice, class Loader, class Tile, class... At>
  TILEPIPE_D void fill_slice(Loader& loader, Tile& tile, const At&... at) {
    static_assert((is_same<Loader, Loaders> || ...),
                  "tilepipe::Pipeline::fill(load, ...): the pipeline was not given this loader; name it in the constructor");
    static_assert(is_same<typename Loader::TileType, Tile>,
                  "tilepipe::Pipeline::fill(load, tile, ...): the loader is for another tile type; fill each tile by its own");
    static_assert(sizeof...(At) == Loader::rank,
                  "tilepipe::Pipeline::fill(load, tile, at...): a fill takes one coordinate for each extent of the tile, "
                  "slowest first, or (row functor, column)");
    if constexpr (checks_enabled)
      if (!loaders_.contains(&loader))
        fail_check("tilepipe::Pipeline::fill: the pipeline was given another loader of this type, not this object\n");
    observer_.issue(write_.stage, write_.part);
    const IssueContext<CompletionType, Team::loading_threads, Team::kind != TeamKind::group> context{
        completion_, group_, completion_.full_address(write_), bytes_};
    constexpr bool numbers = (is_number<At> && ...);
    constexpr bool gathered = Loader::config.source == SourceKind::gathered;
    static_assert(gathered || numbers,
                  "tilepipe::Pipeline::fill(load, tile, row_of, col): rows by a functor need TileLoader<Tile, Gathered>");
    static_assert(!gathered || !numbers,
                  "tilepipe::Pipeline::fill(load, tile, row, col): a Gathered loader takes (row functor, column)");
    if constexpr (gathered && !numbers)
      loader.template issue_gathered<Slice>(context, tile, at...);
    else if constexpr (!gathered && numbers)
      loader.template issue<Slice>(context, tile, Coordinates<Loader::rank>{{static_cast<index_t>(at)...}});
    filled_ = true;
  }

  // What completes the part, apart from the copies themselves.
  TILEPIPE_D void publish() {
    if constexpr (paths.registers) {
      pending_full_ = completion_.full_address(write_);
      // At once where nobody computes meanwhile, and where one late store would have to arrive for several parts.
      if constexpr (roles || (Parts > 1 && completion == Completion::mbarrier)) store_pending();
    }
    completion_.publish(write_, bytes_);
    filled_ = false;
    bytes_ = 0;
  }
  TILEPIPE_D void advance() {
    completion_.commit();
    ++in_flight_;
    write_.next_part();
  }
  // Tiles that travel through registers go to shared memory, and arrive.
  TILEPIPE_D void store_pending() {
    if constexpr (paths.registers) {
      loaders_.store_pending(group_);
      if constexpr (completion == Completion::mbarrier) {
        if (pending_full_ != 0) completion_.arrive_stored(pending_full_);
        pending_full_ = 0;
      }
    }
  }

  TILEPIPE_D Stage& wait_part() {
    observer_.wait_begin(read_.stage, read_.part);
    // What is pending belongs to the newest stage: a wait for an older one leaves it on its way.
    if constexpr (!roles && paths.registers)
      if (in_flight_ <= Parts) store_pending();
    completion_.wait(read_, in_flight_ - 1);
    if constexpr (CompletionType::wait_is_barrier) unfreed_ = 0;
    observer_.wait_end(read_.stage, read_.part);
    --in_flight_;
    Stage& stage = ring_.stage[read_.stage];
    read_.next_part();
    return stage;
  }
  TILEPIPE_D void release_stage() {
    observer_.release(release_.stage);
    completion_.release(release_);
    release_.next_stage();
    if constexpr (!roles) {
      --occupied_;
      ++unfreed_;
      store_pending();
    }
  }

  // What the calling thread has in flight lands, and is forgotten.
  TILEPIPE_D void land() {
    store_pending();
    if constexpr (roles) {
      if (is_producer()) completion_.finish(write_);
    } else {
      if (filled_ || write_.part != 0) {  // a stage that was filled and not committed
        do {
          publish();
          advance();
        } while (write_.part != 0);
        store_pending();
      }
      if constexpr (CompletionType::wait_is_barrier || acquire_frees) {
        completion_.finish(write_);
        read_ = write_;
      } else {
        for (; in_flight_ > 0; --in_flight_) {
          completion_.wait(read_, in_flight_ - 1);
          read_.next_part();
        }
      }
      release_ = read_;
      in_flight_ = 0;
      occupied_ = 0;
      unfreed_ = Stages;
    }
    acquired_ = false;
    observer_.drain();
  }

  // ---- run ----

  template <class Count, class Load>
  TILEPIPE_D void produce(Count t, Load& load) {
    observer_.acquire(write_.stage);
    load(ring_.stage[write_.stage], t);
    observer_.commit(write_.stage, write_.part);
    publish();
    advance();
    acquired_ = false;
  }
  // Beyond the last tile: only counts, so that the depth of the waits stays constant.
  TILEPIPE_D void produce_nothing() {
    for (int part = 0; part < Parts; ++part) advance();
  }
  template <class Count, class Compute>
  TILEPIPE_D Flow call(Stage& stage, Count t, Compute& compute) {
    if constexpr (stoppable<Count, Compute>) {
      if constexpr (reads_only<Count, Compute>) return compute(static_cast<const Stage&>(stage), t);
      else return compute(stage, t);
    } else {
      if constexpr (reads_only<Count, Compute>) compute(static_cast<const Stage&>(stage), t);
      else compute(stage, t);
      return go;
    }
  }
  template <class Count, class Compute>
  TILEPIPE_D void release_computed() {
    if constexpr (proxies && !reads_only<Count, Compute>) ptx::fence_proxy_async_shared();
    consumer_release();
  }
  // A stage that nobody computes on.
  TILEPIPE_D void discard() {
    for (int part = 0; part < Parts; ++part) wait_part();
    release_stage();
  }

  template <class Count, class Load, class Compute>
  TILEPIPE_D void run_unified(Count tiles, Load& load, Compute& compute) {
    constexpr Count ahead = Stages - 1;
    // With a barrier in the wait, it frees the stage that is refilled next: wait, refill, compute. Else the refill comes
    // before the wait, behind a barrier of its own, and one tile more is in flight.
    constexpr bool wait_first = CompletionType::wait_is_barrier && ahead > 0;
#pragma unroll
    for (Count t = 0; t < ahead; ++t) {
      if (t < tiles) {
        acquire_stage();
        produce(t, load);
      } else {
        produce_nothing();
      }
    }
    store_pending();
    for (Count t = 0; t < tiles; ++t) {
      Stage* stage = nullptr;
      if constexpr (wait_first) {
        stage = &wait_part();
        store_pending();
      } else {
        store_pending();
        if constexpr (!acquire_frees) free_released();
      }
      if (tiles - t > ahead) {
        if constexpr (acquire_frees) completion_.acquire(write_);
        produce(static_cast<Count>(t + ahead), load);
      } else {
        produce_nothing();
      }
      if constexpr (!wait_first) stage = &wait_part();
      const Flow flow = call(*stage, t, compute);
      release_computed<Count, Compute>();
      if constexpr (stoppable<Count, Compute>) {
        if (flow == stop) {
          for (Count u = t + 1; u < tiles && u - t <= ahead; ++u) discard();
          break;
        }
      }
    }
    // Stages beyond the last tile go back.
    write_ = read_;
    release_ = read_;
    in_flight_ = 0;
    occupied_ = 0;
    unfreed_ = Stages;
  }

  template <bool Stoppable, class Count, class Load>
  TILEPIPE_D void run_producer(Count tiles, Load& load) {
    __builtin_assume(group_.rank >= 0 && group_.rank < Team::loading_threads);
    constexpr bool elected = paths.transactions() && !paths.each_arrives();
    if (Stoppable && elected && group_.rank >= 32) return;
    for (Count t = 0; t < tiles; ++t) {
      acquire_stage();
      if constexpr (Stoppable) {
        // Written by the release of the tile that was in this stage before, which the acquire has waited for: all
        // loading threads stop at the same tile, Stages behind the one whose compute said so.
        unsigned stopped = t >= Stages ? ring_.barriers.stop[write_.stage] : 0;
        if constexpr (elected) stopped = __shfl_sync(0xffffffffu, stopped, 0);
        if (stopped != 0) {
          completion_.give_back();
          break;
        }
      }
      produce(t, load);
    }
    completion_.finish(write_);
  }
  template <class Count, class Compute>
  TILEPIPE_D void run_consumer(Count tiles, Compute& compute) {
    __builtin_assume(rank_ >= 0 && rank_ < Team::computing_threads);
    for (Count t = 0; t < tiles; ++t) {
      const Flow flow = call(wait_part(), t, compute);
      if constexpr (stoppable<Count, Compute>)
        if (rank_ == 0) ring_.barriers.stop[release_.stage] = flow == stop;
      release_computed<Count, Compute>();
      if constexpr (stoppable<Count, Compute>) {
        if (flow == stop) {
          for (Count u = t + 1; u < tiles && u - t < Stages; ++u) discard();
          break;
        }
      }
    }
  }

  using CompletionType = typename CompletionOf<completion, Protocol, Policy>::type;
  // Copies through the async proxy: what threads write to the stages is fenced before them.
  static constexpr bool proxies = paths.transactions() || async_proxy<CompletionType>;
  // acquire() waits for the readers itself, and no barrier of the team is needed.
  static constexpr bool acquire_frees = acquire_waits<CompletionType>;

  RingType& ring_;
  Team team_;
  LoaderSet<Loaders...> loaders_;
  CompletionType completion_;
  typename Policy::Observer observer_;
  ThreadGroup<Team::loading_threads> group_;
  int rank_;            // among the computing threads
  Position write_;      // the part to fill next
  Position read_;       // the part to wait for next
  Position release_;    // the stage to release next
  int occupied_ = 0;    // unified: stages acquired and not released
  int unfreed_ = 0;     // unified: stages released since the team's last barrier
  int in_flight_ = 0;   // parts committed and not waited for
  unsigned bytes_ = 0;  // that the part being filled will expect
  unsigned pending_full_ = 0;  // full barrier of the tiles that are on their way through registers
  bool filled_ = false;        // since the last commit
  bool acquired_ = false;      // by the verb, and not committed yet
  bool wrote_ = false;         // the verbs' caller writes to stages
};

template <class Stage, int Stages, int Parts, class... Loaders, class = AllLoaders<Loaders...>>
Pipeline(Ring<Stage, Stages, Parts>&, Loaders&...)
    -> Pipeline<Stages, Stage, Parts, Block<>, Policy<>, Loaders...>;
template <class Stage, int Stages, int Parts, class Team, class... Loaders, class = typename Team::IsTeam,
          class = AllLoaders<Loaders...>>
Pipeline(Ring<Stage, Stages, Parts>&, Team, Loaders&...)
    -> Pipeline<Stages, Stage, Parts, Team, Policy<>, Loaders...>;
template <class Stage, int Stages, int Parts, class Team, class Policy, class... Loaders,
          class = typename Team::IsTeam, class = typename Policy::IsPolicy, class = AllLoaders<Loaders...>>
Pipeline(Ring<Stage, Stages, Parts>&, Team, Policy, Loaders&...)
    -> Pipeline<Stages, Stage, Parts, Team, Policy, Loaders...>;

TILEPIPE_NAMESPACE_END
