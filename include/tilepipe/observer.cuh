// SPDX-License-Identifier: Apache-2.0
// Observers: hooks at each step of a pipeline, for checks and profilers; and the policy by which a
// pipeline gets one.
#pragma once

#include "checks.cuh"
#include "config.hpp"
#include "core/completion.hpp"
#include "core/register_split.hpp"
#include "sync/foreign.cuh"
#if defined(TILEPIPE_CHECKS)
#include "check_observer.cuh"
#endif

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
  // A tile of a stage is about to be stored. Computing threads.
  TILEPIPE_D void store() {}
  // A stage is about to be released. Computing threads.
  TILEPIPE_D void release(int /*stage*/) {}
  // No copy that this thread knows of is in flight, no stage held: the end of run(), drain(),
  // close() and leave(). All threads.
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

// What a policy says of the registers of roles: nothing.
struct KeepRegisters {
  static constexpr RegisterSplit split{};  // none
};
// A split that is left out where the target has no setmaxnreg.
template <int Loading, int Computing, int BlocksPerSm = 1>
struct Registers {
  static constexpr RegisterSplit split{Loading, Computing, BlocksPerSm, false};  // of a thread
};
// A split that does not compile where the target has no setmaxnreg.
template <int Loading, int Computing, int BlocksPerSm = 1>
struct DemandedRegisters {
  static constexpr RegisterSplit split{Loading, Computing, BlocksPerSm, true};  // of a thread
};

// What may be said of a pipeline beside its ring, team and loaders: a completion; an observer,
// which is copied into the pipeline; a split of the registers. Pipeline pipe{ring, Block<256>{},
// CompleteBy<Completion::groups>{}, load}.
template <Completion C = Completion::automatic, class Observer_ = DefaultObserver,
          class Registers_ = KeepRegisters>
struct Policy {
  using IsPolicy = void;       // tells a policy from a loader
  using Observer = Observer_;  // copyable; has the hooks of NoObserver
  static constexpr RegisterSplit registers = Registers_::split;  // of the roles' threads
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
// Policy that gives loading threads Loading registers each, computing ones Computing, by setmaxnreg
// when the pipeline is made; 24 to 256 in steps of 8. Roles of whole warpgroups, and a kernel with
// __launch_bounds__(threads, BlocksPerSm). Where the target has no setmaxnreg it is left out;
// Pipeline::splits_registers says. What lives in the computing threads' registers must not be live
// where the roles meet: give each role its own branch, if (pipe.is_producer()) { pipe.run(...);
// return; }.
template <int Loading, int Computing, int BlocksPerSm = 1>
using SplitRegisters =
    Policy<Completion::automatic, DefaultObserver, Registers<Loading, Computing, BlocksPerSm>>;
// The same, refused where the target has no setmaxnreg.
template <int Loading, int Computing, int BlocksPerSm = 1>
using DemandRegisters = Policy<Completion::automatic, DefaultObserver,
                               DemandedRegisters<Loading, Computing, BlocksPerSm>>;

// The split of a policy; of those that know none, as interop::bind gives, none.
template <class Policy, class = void>
inline constexpr RegisterSplit register_split{};
template <class Policy>
inline constexpr RegisterSplit register_split<Policy, decltype(void(Policy::registers))> =
    Policy::registers;

TILEPIPE_NAMESPACE_END
