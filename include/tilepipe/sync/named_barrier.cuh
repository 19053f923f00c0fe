// SPDX-License-Identifier: Apache-2.0
// Completion by named barriers, for roles below CC 8.0: a barrier for each part of a stage, and one
// for its release.
#pragma once

#include "../core/completion.hpp"
#include "../core/ring.hpp"
#include "../ptx/barrier.cuh"

TILEPIPE_NAMESPACE_BEGIN

// The same interface as GroupsCompletion. Takes the barriers from Team::first_barrier on, Stages *
// (Parts + 1) of them.
template <class Protocol>
class NamedBarrierCompletion {
  using Team = typename Protocol::Team;
  using Position = RingPosition<Protocol::stages, Protocol::parts>;
  static constexpr int threads = Team::loading_threads + Team::stage_threads;

 public:
  static constexpr bool wait_is_barrier = false;

  template <class Policy>
  TILEPIPE_D NamedBarrierCompletion(RingBarriers<Protocol::stages, Protocol::parts>&, const Team&,
                                    const Policy&) {}

  TILEPIPE_D unsigned full_address(Position) const { return 0; }
  // The first round's stages have had no readers, and nobody arrives for them.
  TILEPIPE_D void acquire(Position p) {
    if (given_back_)
      given_back_ = false;
    else if (first_round_ == Protocol::stages)
      ptx::named_barrier_sync(empty_id(p), threads);
    else
      ++first_round_;
  }
  TILEPIPE_D void publish(Position p, unsigned) {
    __threadfence_block();
    ptx::named_barrier_arrive(full_id(p), threads);
  }
  TILEPIPE_D void commit() {}
  TILEPIPE_D void arrive_stored(unsigned) {}
  TILEPIPE_D void wait(Position p, int) { ptx::named_barrier_sync(full_id(p), threads); }
  TILEPIPE_D void release(Position p) {
    __threadfence_block();
    ptx::named_barrier_arrive(empty_id(p), threads);
  }
  // A stage that was acquired is not filled; the next acquire gets it.
  TILEPIPE_D void give_back() { given_back_ = true; }
  // Loading threads take the releases of the last round, so that no arrival stays behind on a
  // barrier that another pipeline may use; p is where they would fill next.
  TILEPIPE_D void finish(Position p) {
    if (given_back_) --first_round_;  // the release of stage p is taken, or never came
    given_back_ = false;
    p.stage -= first_round_;
    if (p.stage < 0) p.stage += Protocol::stages;
    for (; first_round_ > 0; --first_round_) {
      ptx::named_barrier_sync(empty_id(p), threads);
      p.next_stage();
    }
  }
  TILEPIPE_D void close() {}

 private:
  static TILEPIPE_D int full_id(Position p) {
    return Team::first_barrier + p.stage * (Protocol::parts + 1) + p.part;
  }
  static TILEPIPE_D int empty_id(Position p) {
    return Team::first_barrier + p.stage * (Protocol::parts + 1) + Protocol::parts;
  }

  int first_round_ = 0;  // stages acquired at least once, at most all of them
  bool given_back_ = false;
};

TILEPIPE_NAMESPACE_END
