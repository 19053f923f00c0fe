// SPDX-License-Identifier: Apache-2.0
// Completion by cuda::pipeline: of thread scope, the library's own; of block scope, the user's.
#pragma once

#include <cuda/pipeline>

#include "../checks.cuh"
#include "../core/arch.hpp"
#include "../core/completion.hpp"
#include "../core/ring.hpp"
#include "../observer.cuh"
#include "../ptx/cp_async.cuh"
#include "../ptx/fence.cuh"
#include "../sync/foreign.cuh"

TILEPIPE_NAMESPACE_BEGIN

// cuda::pipeline at thread scope, then the team's barrier: what Via<Path::libcudacxx> has where no
// policy binds another.
template <class Protocol>
class ForeignCompletion<Protocol, void> {
  using Team = typename Protocol::Team;
  using Position = RingPosition<Protocol::stages, Protocol::parts>;
  static constexpr int max_prior = Protocol::stages * Protocol::parts - 1;
  static_assert(Team::kind != TeamKind::specialized,
                "tilepipe::Pipeline{ring, Specialized{}, loaders...}: a cuda::pipeline of one "
                "thread cannot hand tiles to another; pass interop::bind(pipeline) of a "
                "cuda::pipeline of block scope");

 public:
  static constexpr bool wait_is_barrier = true;
  template <int Width, int RowBytes>
  static constexpr int run_bytes = Width;

  template <class Policy>
  TILEPIPE_D ForeignCompletion(RingBarriers<Protocol::stages, Protocol::parts>&, const Team& team,
                               const Policy&)
      : team_(team), pipeline_(cuda::make_pipeline()) {}

  template <int Width, int Bytes>
  TILEPIPE_D void copy(unsigned char* to, const unsigned char* from, unsigned) {
    (void)cuda::memcpy_async(to, from, cuda::aligned_size_t<Width>(Bytes), pipeline_);
  }

  TILEPIPE_D unsigned full_address(Position) const { return 0; }
  TILEPIPE_D void acquire(Position) {}
  TILEPIPE_D void publish(Position, unsigned) {}
  TILEPIPE_D void commit() {
    ptx::compiler_barrier();
    pipeline_.producer_commit();
    ptx::compiler_barrier();
  }
  TILEPIPE_D void arrive_stored(unsigned) {}
  TILEPIPE_D void wait(Position, int prior) {
    wait_prior<0>(prior);
    ptx::compiler_barrier();
    team_.sync();
  }
  TILEPIPE_D void release(Position) {}
  TILEPIPE_D void give_back() {}
  TILEPIPE_D void finish(Position) {
    cuda::pipeline_consumer_wait_prior<0>(pipeline_);
    ptx::compiler_barrier();
  }
  TILEPIPE_D void close() {}

 private:
  // The depth is a template argument; prior is constant in loops of the usual form, and this folds.
  template <int N>
  TILEPIPE_D void wait_prior(int prior) {
    if constexpr (N < max_prior && N < 8) {
      if (prior > N) return wait_prior<N + 1>(prior);
    }
    cuda::pipeline_consumer_wait_prior<N>(pipeline_);
  }

  Team team_;
  cuda::pipeline<cuda::thread_scope_thread> pipeline_;
};

namespace interop {

using BlockPipeline = cuda::pipeline<cuda::thread_scope_block>;

// A cuda::pipeline of block scope that the user owns. Each verb is that pipeline's verb of the same
// name; Stages is the number of its stages, 0 where the type does not say it.
template <class Protocol, int Stages>
class BoundPipelineCompletion {
  using Team = typename Protocol::Team;
  using Position = RingPosition<Protocol::stages, Protocol::parts>;
  static constexpr bool roles = Team::kind == TeamKind::specialized;
  static_assert(Protocol::parts == 1,
                "tilepipe::interop::bind(pipeline): a cuda::pipeline hands over whole stages; use "
                "a Ring<Stage, Stages> of one part");
  static_assert(Stages == 0 || Stages == Protocol::stages,
                "tilepipe::interop::bind(pipeline, state): pipeline_shared_state and Ring must "
                "have the same number of stages");

 public:
  static constexpr bool wait_is_barrier = false;
  static constexpr bool acquire_waits = true;
  template <int Width, int RowBytes>
  static constexpr int run_bytes = Width;

  template <class Policy>
  TILEPIPE_D BoundPipelineCompletion(RingBarriers<Protocol::stages, Protocol::parts>&, const Team&,
                                     const Policy& policy)
      : pipeline_(policy.pipeline) {}

  template <int Width, int Bytes>
  TILEPIPE_D void copy(unsigned char* to, const unsigned char* from, unsigned) {
    (void)cuda::memcpy_async(to, from, cuda::aligned_size_t<Width>(Bytes), pipeline_);
  }

  TILEPIPE_D unsigned full_address(Position) const { return 0; }
  TILEPIPE_D void acquire(Position) {
    pipeline_.producer_acquire();
    ptx::compiler_barrier();
  }
  TILEPIPE_D void publish(Position, unsigned) {
    ptx::compiler_barrier();
    pipeline_.producer_commit();
    ++in_flight_;
  }
  TILEPIPE_D void commit() {}
  TILEPIPE_D void arrive_stored(unsigned) {}
  // A cuda::pipeline waits for its oldest stage that is not released: a second one cannot be held,
  // and the data of a wrong stage would be worse than a trap.
  TILEPIPE_D void wait(Position, int) {
    if (held_)
      fail_check(
          "tilepipe::Pipeline::consumer_wait: a bound cuda::pipeline holds one stage at a time; "
          "release it first\n");
    wait_oldest();
    held_ = true;
  }
  TILEPIPE_D void release(Position) {
    release_oldest();
    held_ = false;
  }
  // Waiting twice for a stage without readers is harmless.
  TILEPIPE_D void give_back() {}
  // Unified: what is in flight or held goes back, so that the user's pipeline is left as it was
  // found. Roles: the calling loading thread's copies have landed.
  TILEPIPE_D void finish(Position) {
    if constexpr (roles) {
      if constexpr (arch_traits(this_arch).cp_async) {
        ptx::cp_async_commit_group();
        ptx::cp_async_wait_group<0>();
      }
    } else {
      held_ = false;
      while (in_flight_ > 0) {
        wait_oldest();
        release_oldest();
      }
    }
  }
  // The barriers are the user's: they end when all threads have left that pipeline.
  TILEPIPE_D void close() {}

 private:
  TILEPIPE_D void wait_oldest() {
    pipeline_.consumer_wait();
    ptx::compiler_barrier();
  }
  TILEPIPE_D void release_oldest() {
    ptx::compiler_barrier();
    pipeline_.consumer_release();
    --in_flight_;
  }

  BlockPipeline& pipeline_;
  int in_flight_ = 0;  // unified: stages committed and not released
  bool held_ = false;
};

// The policy that binds one: Pipeline pipe{ring, Block<256>{}, interop::bind(user_pipeline), load}.
template <int Stages, class Observer_>
struct PipelineBinding {
  using IsPolicy = void;
  using Observer = Observer_;
  static constexpr Completion completion = Completion::foreign;
  template <class Protocol>
  using Foreign = BoundPipelineCompletion<Protocol, Stages>;
  BlockPipeline& pipeline;
  Observer observer;
};

// A cuda::pipeline of block scope, made by cuda::make_pipeline(group, &state) where the team is the
// group, or by role where it is Specialized. It has as many stages as the ring, which is checked
// where its state is passed along; it outlives the Pipeline, and nothing else uses it meanwhile. By
// every thread of the team.
template <class Observer = DefaultObserver>
TILEPIPE_D PipelineBinding<0, Observer> bind(BlockPipeline& pipeline,
                                             const Observer& observer = {}) {
  return {pipeline, observer};
}
template <unsigned char Stages, class Observer = DefaultObserver>
TILEPIPE_D PipelineBinding<Stages, Observer> bind(
    BlockPipeline& pipeline,
    const cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>& /*state*/,
    const Observer& observer = {}) {
  return {pipeline, observer};
}

}  // namespace interop
TILEPIPE_NAMESPACE_END
