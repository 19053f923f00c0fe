// SPDX-License-Identifier: Apache-2.0
// PipelineSteps: the state of a pipeline, and the steps that its verbs and its loop are made of.
#pragma once

#include "config.hpp"
#include "core/completion.hpp"
#include "core/ring.hpp"
#include "loader_set.cuh"
#include "observer.cuh"
#include "ptx/address.cuh"
#include "ptx/fence.cuh"
#include "ptx/setmaxnreg.cuh"
#include "sync/foreign.cuh"
#include "sync/groups.cuh"
#include "sync/mbarrier.cuh"
#include "sync/named_barrier.cuh"
#include "sync/team.cuh"
#include "tile_loader.cuh"

TILEPIPE_NAMESPACE_BEGIN

// What a completion knows of its pipeline.
template <class Team_, class Policy, int Stages, int Parts, class... Loaders>
struct PipelineProtocol {
  using Team = Team_;
  static constexpr Completion demanded = Policy::completion;
  static constexpr int stages = Stages;
  static constexpr int parts = Parts;
  static constexpr PathSet paths = paths_of<Team, Policy, Loaders...>();
  static constexpr Completion completion =
      choose_completion(this_arch, Team::kind, Stages, paths, Policy::completion).completion;
  static constexpr PipelineRefusal refusal =
      this_arch == 0 ? PipelineRefusal::none
                     : refuse_pipeline(this_arch, Team::kind, Stages, Parts, paths, completion,
                                       Team::first_barrier, Team::group_barriers);
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

// Roles take their registers, whole warps.
template <class Policy>
TILEPIPE_D void take_registers([[maybe_unused]] bool producer) {
  constexpr RegisterSplit split = register_split<Policy>;
  if constexpr (split.any() && specific_target) {
    if (producer)
      ptx::release_registers<split.loading>();
    else
      ptx::claim_registers<split.computing>();
  }
}

// Held by each thread of the team. Not for users: Pipeline is.
template <int Stages, class Stage, int Parts, class Team, class Policy, class... Loaders>
class PipelineSteps {
 public:
  using Protocol = PipelineProtocol<Team, Policy, Stages, Parts, Loaders...>;
  using Position = RingPosition<Stages, Parts>;
  using StageType = Stage;
  static constexpr int stages = Stages;
  static constexpr int parts = Parts;
  static constexpr PathSet paths = Protocol::paths;
  static constexpr bool roles = Team::kind == TeamKind::specialized;
  static constexpr int loading_threads = Team::loading_threads;
  static constexpr int computing_threads = Team::computing_threads;
  static constexpr bool whole_warps =
      Team::kind != TeamKind::group && loading_threads > 0 && loading_threads % 32 == 0;
  // Groups of computing threads; whether tiles go to them in turns.
  static constexpr int groups = Team::groups;
  static constexpr bool turns = Team::sharing == Sharing::turns;
  static constexpr Completion completion = Protocol::completion;
  using CompletionType = typename CompletionOf<completion, Protocol, Policy>::type;
  // Copies through the async proxy: what threads write to the stages is fenced before them.
  static constexpr bool proxies = paths.transactions() || async_proxy<CompletionType>;
  // acquire() waits for the readers itself, and no barrier of the team is needed.
  static constexpr bool acquire_frees = acquire_waits<CompletionType>;
  // Roles on a cuda::pipeline of the user's, whose barriers end with its last thread: nobody leaves
  // before every copy has arrived there, and loading threads cannot see that by themselves.
  static constexpr bool leaves_together = roles && acquire_frees;
  // Loading threads need the stage when they store to it, not when they load to registers: so the
  // wait for its readers comes between, and the loads are on their way meanwhile.
  static constexpr bool late_acquire =
      roles && (Loaders::template stays_in_registers<loading_threads> && ...);
  // Tiles leave from the stages; by asynchronous stores, which read a stage after its release.
  static constexpr bool stores = (Loaders::is_storer || ...);
  static constexpr bool stores_late = (Loaders::stores_late || ...);
  // One thread starts all stores and all copies of a stage, and needs no barrier between them.
  static constexpr bool refills_alone =
      stores_late && !roles && completion == Completion::mbarrier && !paths.each_arrives() &&
      !paths.many_issue && (Loaders::stores_alone && ...);
  // Tiles that travel through registers are stored when they are committed: where nobody computes
  // meanwhile, and where one late store would have to arrive for several parts.
  static constexpr bool stores_at_once =
      paths.registers && (roles || (Parts > 1 && completion == Completion::mbarrier));

  TILEPIPE_D PipelineSteps(Ring<Stage, Stages, Parts>& ring_storage, const Team& t,
                           const Policy& policy, Loaders&... l)
      : ring(ptx::pinned(ring_storage)),
        team(t),
        loaders(l...),
        barriers(ring_storage.barriers, t, policy),
        observer(policy.observer),
        group{t.loading_rank(), t.loading_size()},
        rank(t.computing_rank()) {
    if constexpr (Team::groups > 1) consumer_group = t.group();
    loaders.template begin<whole_warps>(group);
    take_registers<Policy>(is_producer());
    observer.begin({Stages, Parts, !roles || is_producer(), !roles || !is_producer()});
  }

  TILEPIPE_D bool is_producer() const { return roles && rank >= computing_threads; }

  TILEPIPE_D void acquire_stage() {
    store_pending();
    if constexpr (!roles) {
      if (!acquire_frees && occupied + unfreed >= Stages) free_released();
      ++occupied;
    }
    free_to_write = false;
    if constexpr (!late_acquire) wait_for_readers();
  }
  // Of computing threads: returns when no store of the calling thread's reads a stage or, Complete,
  // when all have arrived.
  template <bool Complete = false>
  TILEPIPE_D void wait_for_stores() const {
    (Loaders::template wait_for_stores<Complete>(computing_group()), ...);
  }
  // Returns when the acquired stage has no readers.
  TILEPIPE_D void wait_for_readers() {
    if (free_to_write) return;
    if constexpr (refills_alone) wait_for_stores();
    barriers.acquire(write);
    free_to_write = true;
  }
  // After a barrier of the team every released stage is free.
  TILEPIPE_D void free_released() {
    wait_for_stores();
    team.sync();
    unfreed = 0;
  }

  // What completes the part, apart from the copies themselves.
  TILEPIPE_D void publish() {
    if constexpr (late_acquire) wait_for_readers();
    if constexpr (stores_at_once) {
      loaders.store_pending(group);
      if constexpr (completion == Completion::mbarrier)
        barriers.arrive_stored(barriers.full_address(write));
    } else if constexpr (paths.registers) {
      pending_full = barriers.full_address(write);
    }
    barriers.publish(write, bytes);
    filled = false;
    bytes = 0;
  }
  TILEPIPE_D void advance() {
    barriers.commit();
    ++in_flight;
    write.next_part();
  }
  // Tiles that travel through registers go to shared memory, and arrive.
  TILEPIPE_D void store_pending() {
    if constexpr (paths.registers) {
      loaders.store_pending(group);
      if constexpr (completion == Completion::mbarrier) {
        if (pending_full != 0) barriers.arrive_stored(pending_full);
        pending_full = 0;
      }
    }
  }

  TILEPIPE_D Stage& wait_part() {
    observer.wait_begin(read.stage, read.part);
    // What is pending belongs to the newest stage: a wait for an older one leaves it on its way.
    if constexpr (!roles && paths.registers)
      if (in_flight <= unsigned{Parts}) store_pending();
    if constexpr (CompletionType::wait_is_barrier) wait_for_stores();
    barriers.wait(read, static_cast<int>(in_flight) - 1);
    if constexpr (CompletionType::wait_is_barrier) unfreed = 0;
    observer.wait_end(read.stage, read.part);
    if constexpr (stores) stored_last = false;
    --in_flight;
    Stage& stage = ring.stage[read.stage];
    read.next_part();
    return stage;
  }
  // The caller wrote to the stage, or it did not: copies through the async proxy are ordered after
  // writes.
  TILEPIPE_D void release_stage(bool written) {
    if constexpr (proxies)
      if ((written || wrote) && !stored_last) ptx::fence_proxy_async_shared();
    observer.release(release.stage);
    if constexpr (roles || acquire_frees) wait_for_stores();
    barriers.release(release);
    release.next_stage();
    if constexpr (!roles) {
      --occupied;
      if (!(refills_alone && stored_last)) ++unfreed;
      store_pending();
    }
    if constexpr (stores) stored_last = false;
  }
  // Starts the stores of a tile, when all computing threads have written it. Last: they access its
  // stage no more.
  template <bool Last, class Storer, class Tile>
  TILEPIPE_D void store(Storer& storer, const Tile& tile, const Coordinates<Storer::rank>& at) {
    observer.store();
    if constexpr (checks_enabled)
      check_store<Last>(loaders, storer, ring.stage[release.stage], tile);
    if constexpr (Storer::stores_late || (proxies && Last)) ptx::fence_proxy_async_shared();
    team.sync_computing(consumer_group);
    storer.issue(computing_group(), tile, at);
    stored_last = Last;
  }

  // What the calling thread has in flight lands, and is forgotten. Leaving, it waits for nobody's
  // release.
  template <bool Leaving>
  TILEPIPE_D void land() {
    if constexpr (!late_acquire) store_pending();  // else in publish(), when there are no readers
    if constexpr (roles) {
      if constexpr (!Leaving) drop_what_is_filled();
      if constexpr (Leaving && paths.transactions()) {
        if (filled) {  // and not committed: the bytes land in a phase that has their arrival
          publish();
          advance();
        }
      }
      if (is_producer() && !(Leaving && completion == Completion::named_barrier))
        barriers.finish(write);
    } else {
      if (filled || write.part != 0) {  // a stage that was filled and not committed
        do {
          publish();
          advance();
        } while (write.part != 0);
        store_pending();
      }
      if constexpr (CompletionType::wait_is_barrier || acquire_frees) {
        barriers.finish(write);
        read = write;
      } else {
        for (; in_flight > 0; --in_flight) {
          barriers.wait(read, static_cast<int>(in_flight) - 1);
          read.next_part();
        }
      }
      release = read;
      in_flight = 0;
      occupied = 0;
    }
    acquired = false;
    observer.drain();
  }

  // Roles: what loading threads have filled and computing threads have not waited for, these wait
  // for and release. Loading threads count their commits, computing threads, downwards, their
  // waits.
  TILEPIPE_D void drop_what_is_filled() {
    if (is_producer()) {
      while (filled || write.part != 0) {
        publish();
        advance();
        acquired = false;
      }
      if (acquired && free_to_write) barriers.give_back();
    } else {
      release_what_is_read();  // a publish may wait for it
    }
    team.sync();  // nobody computes any more, and so nobody writes to a stop word
    if (is_producer() && group.rank == 0) ring.barriers.stop[0] = in_flight;
    team.sync();
    if (is_producer()) return;
    if (turns && consumer_group != 0)  // between runs all groups are at one place: one drops
      return skip_stages((ring.barriers.stop[0] + in_flight) / Parts);
    for (unsigned n = ring.barriers.stop[0] + in_flight; n > 0; --n) {
      wait_part();
      release_what_is_read();  // a bound cuda::pipeline holds one stage at a time
    }
  }
  // Turns: n stages are another group's.
  template <class Count>
  TILEPIPE_D void skip_stages(Count n) {
    in_flight -= static_cast<unsigned>(n) * Parts;
    read.skip_stages(n);
    release = read;
  }
  TILEPIPE_D void release_what_is_read() {
    while (release.stage != read.stage || release.parity != read.parity) release_stage(false);
  }

  TILEPIPE_D ThreadGroup<computing_threads> computing_group() const {
    return {rank, team.computing_size()};
  }
  // Starts the copies of a slice of a tile.
  template <class Slice, class Loader, class Tile, class... At>
  TILEPIPE_D void issue(Loader& loader, Tile& tile, const At&... at) {
    if constexpr (checks_enabled) check_given("fill", loaders, loader);
    observer.issue(write.stage, write.part);
    if constexpr (late_acquire)
      if (loader.pending()) wait_for_readers();  // it stores what it holds before it loads again
    const IssueContext<Protocol, CompletionType> context{barriers, group,
                                                         barriers.full_address(write), bytes};
    if constexpr (Loader::config.source == SourceKind::gathered)
      loader.template issue_gathered<Slice>(context, tile, at...);
    else
      loader.template issue<Slice>(
          context, tile,
          Coordinates<Loader::rank>{{static_cast<index_t>(at)...}, (is_narrow<At> && ...)});
    filled = true;
  }

  Ring<Stage, Stages, Parts>& ring;
  Team team;
  LoaderSet<Loaders...> loaders;
  CompletionType barriers;
  typename Policy::Observer observer;
  ThreadGroup<loading_threads> group;
  int rank;                    // among the computing threads
  int consumer_group = 0;      // roles: the group of the calling thread
  Position write;              // the part to fill next
  Position read;               // the part to wait for next
  Position release;            // the stage to release next
  int occupied = 0;            // unified: stages acquired and not released
  int unfreed = 0;             // unified: stages released since the team's last barrier
  unsigned in_flight = 0;      // parts committed and not waited for
  unsigned bytes = 0;          // that the part being filled will expect
  unsigned pending_full = 0;   // full barrier of the tiles that are on their way through registers
  bool free_to_write = false;  // the acquired stage is known to have no readers
  bool filled = false;         // since the last commit
  bool acquired = false;       // by the verb, and not committed yet
  bool wrote = false;          // the verbs' caller writes to stages
  bool stored_last = false;    // the oldest held stage, which is accessed no more
};

TILEPIPE_NAMESPACE_END
