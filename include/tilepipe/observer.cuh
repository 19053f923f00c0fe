// SPDX-License-Identifier: Apache-2.0
// Observers: hooks at each step of a pipeline, for checks and profilers; and the policy by which a
// pipeline gets one.
#pragma once

#include "checks.cuh"
#include "config.hpp"
#include "core/completion.hpp"
#include "sync/foreign.cuh"

TILEPIPE_NAMESPACE_BEGIN

// An observer that does nothing, and the list of the hooks. Every thread of the team calls them on
// a copy of its own, each for its role; a hook must not wait for other threads. Stages and parts
// are indices into the ring. Any architecture.
struct NoObserver {
  // The pipeline is made. The first hook, in all threads.
  TILEPIPE_D void begin(const PipelineInfo&) {}
  // A stage is taken to be filled. Loading threads.
  TILEPIPE_D void acquire(int /*stage*/) {}
  // A fill, or a slice of one, is about to start its copies. Loading threads.
  TILEPIPE_D void issue(int /*stage*/, int /*part*/) {}
  // A part is about to be handed over. Loading threads.
  TILEPIPE_D void commit(int /*stage*/, int /*part*/) {}
  // The wait for a part begins. Computing threads.
  TILEPIPE_D void wait_begin(int /*stage*/, int /*part*/) {}
  // The part is readable. Computing threads.
  TILEPIPE_D void wait_end(int /*stage*/, int /*part*/) {}
  // A stage is about to be released. Computing threads.
  TILEPIPE_D void release(int /*stage*/) {}
  // Nothing that this thread knows of is in flight or held: the end of run(), drain(), close() and
  // leave(). All threads.
  TILEPIPE_D void drain() {}
  // The pipeline's scope ends. The last hook, in all threads.
  TILEPIPE_D void end() {}
};

// The observer of pipelines that name none: NoObserver, under TILEPIPE_CHECKS the one that checks.
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
  using IsPolicy = void;       // tells a policy from a loader
  using Observer = Observer_;  // copyable; has the hooks of NoObserver
  // Demanded; automatic: the library chooses. What the team or the paths cannot have does not
  // compile.
  static constexpr Completion completion = C;
  // The completion of pipelines whose loaders are Via<Path::libcudacxx>.
  template <class Protocol>
  using Foreign = ForeignCompletion<Protocol>;
  Observer observer{};  // copied into each thread's pipeline
};
// Policy that demands a completion: CompleteBy<Completion::mbarrier>{}.
template <Completion C>
using CompleteBy = Policy<C>;
// Policy that brings an observer: ObserveBy<Mine>{Mine{...}}.
template <class Observer>
using ObserveBy = Policy<Completion::automatic, Observer>;

TILEPIPE_NAMESPACE_END
