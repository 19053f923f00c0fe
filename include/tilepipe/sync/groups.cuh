// SPDX-License-Identifier: Apache-2.0
// Completion by groups: each thread waits for its own copies, then the team's barrier makes them
// visible to all.
#pragma once

#include "../core/completion.hpp"
#include "../core/ring.hpp"
#include "../ptx/cp_async.cuh"

TILEPIPE_NAMESPACE_BEGIN

// A completion is made by every thread of the team. Protocol has Team, stages, parts and paths.
// Positions are those of the part that is handed over, waited for or released; `prior` is the
// number of parts handed over later.
template <class Protocol>
class GroupsCompletion {
  using Team = typename Protocol::Team;
  using Position = RingPosition<Protocol::stages, Protocol::parts>;
  static constexpr int max_prior = Protocol::stages * Protocol::parts - 1;

 public:
  // A wait ends with a barrier of the team, which also frees what was released before.
  static constexpr bool wait_is_barrier = true;

  template <class Policy>
  TILEPIPE_D GroupsCompletion(RingBarriers<Protocol::stages, Protocol::parts>&, const Team& team,
                              const Policy&)
      : team_(team) {
    team_.sync();  // whoever used the ring's memory before has done so
  }

  TILEPIPE_D unsigned full_address(Position) const { return 0; }
  TILEPIPE_D void acquire(Position) {}
  TILEPIPE_D void publish(Position, unsigned) {}
  // Closes the batch of a part, an empty one too.
  TILEPIPE_D void commit() {
    if constexpr (Protocol::paths.cp_async) ptx::cp_async_commit_group();
  }
  TILEPIPE_D void arrive_stored(unsigned) {}
  TILEPIPE_D void wait(Position, int prior) {
    if constexpr (Protocol::paths.cp_async) wait_group<0>(prior);
    team_.sync();
  }
  TILEPIPE_D void release(Position) {}
  TILEPIPE_D void give_back() {}
  // The calling thread's copies have landed, which commits have closed.
  TILEPIPE_D void finish(Position) {
    if constexpr (Protocol::paths.cp_async) ptx::cp_async_wait_group<0>();
  }
  TILEPIPE_D void close() {}

 private:
  // The depth is an immediate of the instruction; prior is constant in loops of the usual form, and
  // this folds.
  template <int N>
  TILEPIPE_D static void wait_group(int prior) {
    if constexpr (N < max_prior) {
      if (prior > N) return wait_group<N + 1>(prior);
    }
    ptx::cp_async_wait_group<N>();
  }

  Team team_;
};

TILEPIPE_NAMESPACE_END
