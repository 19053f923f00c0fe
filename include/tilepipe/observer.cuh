// SPDX-License-Identifier: Apache-2.0
// Observers: hooks at each step of a pipeline, for checks and profilers; and the policy by which a
// pipeline gets one.
#pragma once

#include "checks.cuh"
#include "config.hpp"
#include "core/completion.hpp"
#include "sync/foreign.cuh"

TILEPIPE_NAMESPACE_BEGIN

// An observer that does nothing, and the list of the hooks. Every thread of the team calls them,
// each for its role. Stages and parts are indices into the ring.
struct NoObserver {
  TILEPIPE_D void begin(const PipelineInfo&) {}
  TILEPIPE_D void acquire(int /*stage*/) {}
  TILEPIPE_D void issue(int /*stage*/, int /*part*/) {}
  TILEPIPE_D void commit(int /*stage*/, int /*part*/) {}
  TILEPIPE_D void wait_begin(int /*stage*/, int /*part*/) {}
  TILEPIPE_D void wait_end(int /*stage*/, int /*part*/) {}
  TILEPIPE_D void release(int /*stage*/) {}
  TILEPIPE_D void drain() {}  // also leave() and the end of run()
  TILEPIPE_D void end() {}    // the pipeline's scope ends
};

#if defined(TILEPIPE_CHECKS)
using DefaultObserver = CheckObserver;
#else
using DefaultObserver = NoObserver;
#endif

// What may be said of a pipeline beside its ring, team and loaders: a completion, and an observer,
// which is copied into the pipeline. Pipeline pipe{ring, Block<256>{},
// CompleteBy<Completion::groups>{}, load}.
template <Completion C = Completion::automatic, class Observer_ = DefaultObserver>
struct Policy {
  using IsPolicy = void;
  using Observer = Observer_;
  static constexpr Completion completion = C;
  template <class Protocol>
  using Foreign = ForeignCompletion<Protocol>;
  Observer observer{};
};
template <Completion C>
using CompleteBy = Policy<C>;
template <class Observer>
using ObserveBy = Policy<Completion::automatic, Observer>;

TILEPIPE_NAMESPACE_END
