// SPDX-License-Identifier: Apache-2.0
// Completion by mbarriers: a full barrier for each part of a stage and, in roles, an empty barrier
// a stage.
#pragma once

#include "../core/completion.hpp"
#include "../core/ring.hpp"
#include "../ptx/address.cuh"
#include "../ptx/cp_async.cuh"
#include "../ptx/elect.cuh"
#include "../ptx/fence.cuh"
#include "../ptx/mbarrier.cuh"

TILEPIPE_NAMESPACE_BEGIN

// The same interface as GroupsCompletion.
template <class Protocol>
class MbarrierCompletion {
  using Team = typename Protocol::Team;
  using Position = RingPosition<Protocol::stages, Protocol::parts>;
  using Barriers = RingBarriers<Protocol::stages, Protocol::parts>;
  static constexpr bool roles = Team::kind == TeamKind::specialized;
  static constexpr PathSet paths = Protocol::paths;
  // The issuing thread of a warp that only loads is elected: its copies are predicated on the whole
  // warp, which need not part and meet for them (in bulk 0.94 of the loop by hand at 8 stages
  // instead of 0.89; bench/README.md).
  static constexpr bool elects = roles && paths.transactions() && Team::loading_threads == 32;
  // Lanes of a warp that arrive when it has read a stage: one, after the warp's barrier. With
  // TILEPIPE_CHECKS all, and all of a warp that has issued copies: racecheck does not see the
  // others' order through that barrier (docs/sanitizers.md).
  static constexpr int release_lanes = checks_enabled ? 32 : 1;
  static constexpr bool all_publish = checks_enabled && paths.transactions() && paths.many_issue;

 public:
  static constexpr bool wait_is_barrier = false;

  template <class Policy>
  TILEPIPE_D MbarrierCompletion(Barriers& barriers, const Team& team, const Policy&)
      : full_(ptx::shared_address(barriers.full)),
        empty_(ptx::shared_address(barriers.empty)),
        loading_rank_(team.loading_rank()),
        computing_rank_(team.computing_rank()) {
    if (is_first()) {
      const int others = all_publish ? min_of(32, team.loading_size()) - 1 : 0;
      for (int i = 0; i < Protocol::stages * Protocol::parts; ++i)
        ptx::mbarrier_init(full_ + i * 8, full_arrivals(paths, team.loading_size()) + others);
      if constexpr (roles)
        for (int i = 0; i < Protocol::stages; ++i)
          ptx::mbarrier_init(empty_ + i * 8, Team::stage_threads / 32 * release_lanes);
      if constexpr (paths.transactions()) ptx::fence_mbarrier_init();
    }
    // What the user wrote to the ring's memory before, by any thread, is ordered before the first
    // bulk copy.
    if constexpr (paths.transactions()) ptx::fence_proxy_async_shared();
    team.sync();
  }

  // Roles: the computing threads begin. Their barriers' addresses are not derived anew each tile
  // (bulk, 64 FMAs an element, 4 stages: 0.99 of the loop by hand without).
  TILEPIPE_D void begin_computing() {
    full_ = ptx::opaque(full_);
    empty_ = full_ + Protocol::stages * Protocol::parts * 8;
  }
  TILEPIPE_D unsigned full_address(Position p) const { return full_ + p.slot() * 8; }

  // Whether the calling thread is the one that issues copies which count bytes. By all loading
  // threads, converged.
  TILEPIPE_D bool issues() const {
    if constexpr (elects)
      return ptx::elect_sync();
    else
      return loading_rank_ == 0;
  }

  // Roles: returns when the stage has no readers. Who waits here must arrive on full in the same
  // round, else a lagging lane falls a whole phase behind and waits for a release that never comes.
  // Where one thread alone arrives, its warp waits with it, and none of it issues before all of it
  // has waited, by this barrier or by the election, or arrives, by publish's: which keeps the lanes
  // together. Other warps neither wait nor issue.
  TILEPIPE_D void acquire(Position p) {
    if constexpr (roles) {
      if constexpr (paths.each_arrives()) {
        ptx::mbarrier_wait_parity(empty_ + p.stage * 8, p.parity ^ 1u);
      } else if (Team::loading_threads == 32 || loading_rank_ < 32) {
        ptx::mbarrier_wait_parity(empty_ + p.stage * 8, p.parity ^ 1u);
        if constexpr (!elects || paths.many_issue) __syncwarp();
      }
    }
  }
  // The part's copies are issued; bytes of them count themselves, for which rank 0 arrives, whoever
  // issued them: that saves an election (1.08 of the loop by hand at 8 stages in bulk instead of
  // 0.94). Legal after the copies: while this arrival is pending the phase cannot end.
  TILEPIPE_D void publish(Position p, [[maybe_unused]] unsigned bytes) {
    if constexpr (paths.transactions()) {
      // Nothing was issued, and so nobody was elected since the lanes have waited.
      if constexpr (elects && !paths.many_issue)
        if (bytes == 0) __syncwarp();
      if (loading_rank_ == 0)
        ptx::mbarrier_arrive_expect_tx(full_address(p), bytes);
      else if (all_publish && loading_rank_ < 32)
        ptx::mbarrier_arrive(full_address(p));
    }
    if constexpr (paths.cp_async) ptx::cp_async_mbarrier_arrive_noinc(full_address(p));
    if constexpr (paths.stores) ptx::mbarrier_arrive(full_address(p));
  }
  TILEPIPE_D void commit() {}
  // The calling thread has stored its part of a tile that travels through registers.
  TILEPIPE_D void arrive_stored(unsigned full) { ptx::mbarrier_arrive(full); }
  TILEPIPE_D void wait(Position p, int) { ptx::mbarrier_wait_parity(full_address(p), p.parity); }
  // Roles: the calling warp has read the stage for the last time.
  TILEPIPE_D void release(Position p) {
    if constexpr (roles) {
      __syncwarp();
      if ((computing_rank_ & 31) < release_lanes) ptx::mbarrier_arrive(empty_ + p.stage * 8);
    }
  }
  // Waiting twice for a stage without readers is harmless.
  TILEPIPE_D void give_back() {}
  // The calling loading thread's copies have landed, and arrive no more; p is what it would fill
  // next. In roles nobody else may be there to wait for the bytes that it has issued: each part's
  // last round is this one up to p, and the one before from p on.
  TILEPIPE_D void finish([[maybe_unused]] Position p) {
    if constexpr (paths.cp_async) {
      ptx::cp_async_commit_group();
      ptx::cp_async_wait_group<0>();
    }
    if constexpr (roles && paths.transactions()) {
      if (!issues()) return;
      for (int i = 0; i < Protocol::stages * Protocol::parts; ++i) {
        const bool this_round = i < p.slot();
        ptx::mbarrier_wait_parity(full_ + i * 8, this_round ? p.parity : p.parity ^ 1u);
      }
    }
  }
  // Ends the barriers. After a barrier of the team, by which nobody uses them any more.
  TILEPIPE_D void close() {
    if (is_first()) {
      for (int i = 0; i < Protocol::stages * Protocol::parts; ++i)
        ptx::mbarrier_inval(full_ + i * 8);
      if constexpr (roles)
        for (int i = 0; i < Protocol::stages; ++i) ptx::mbarrier_inval(empty_ + i * 8);
    }
  }

 private:
  // The thread of the team that sets up the barriers.
  TILEPIPE_D bool is_first() const { return loading_rank_ == (roles ? -Team::all_computing : 0); }

  unsigned full_;  // shared addresses of the first barriers
  unsigned empty_;
  int loading_rank_;
  int computing_rank_;
};

TILEPIPE_NAMESPACE_END
