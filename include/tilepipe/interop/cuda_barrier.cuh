// SPDX-License-Identifier: Apache-2.0
// Completion by cuda::barriers of block scope that the user owns.
#pragma once

#include <cuda/barrier>

#include "../core/arch.hpp"
#include "../core/completion.hpp"
#include "../core/ring.hpp"
#include "../observer.cuh"
#include "../ptx/fence.cuh"

TILEPIPE_NAMESPACE_BEGIN
namespace interop {

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

// One barrier for each part of a stage, for teams in which all threads load and compute: each copy
// is bound to the part's barrier, each thread arrives once a part. From CC 9.0, rows of 16-byte
// chunks go in bulk, each by one thread.
template <class Protocol, int Count>
class BoundBarriersCompletion {
  using Team = typename Protocol::Team;
  using Position = RingPosition<Protocol::stages, Protocol::parts>;
  static constexpr bool bulk = arch_traits(this_arch).bulk;
  static_assert(Team::kind != TeamKind::specialized,
                "tilepipe::interop::bind(barriers): one barrier a stage has no place for roles; "
                "bind a cuda::pipeline of block scope instead");
  static_assert(Count == Protocol::stages * Protocol::parts,
                "tilepipe::interop::bind(barriers): a ring takes one cuda::barrier for each part "
                "of each stage, Stages * Parts of them");

 public:
  static constexpr bool wait_is_barrier = false;
  static constexpr bool async_proxy = bulk;
  template <int Width, int RowBytes>
  static constexpr int run_bytes = Width >= 16 && bulk ? RowBytes : Width;

  // The barriers are between two phases, whichever: of a fresh one, the phase before counts as
  // complete with parity 1; where it is not, parities count from the odd phase that is.
  template <class Policy>
  TILEPIPE_D BoundBarriersCompletion(RingBarriers<Protocol::stages, Protocol::parts>&,
                                     const Team& team, const Policy& policy)
      : barriers_(policy.barriers) {
    for (int i = 0; i < Count; ++i)
      if (!barriers_[i].try_wait_parity_for(true, cuda::std::chrono::nanoseconds{0}))
        odd_[i / 32] |= 1u << i % 32;
    // What was written to the stages before, by any thread, is ordered before the first bulk copy.
    if constexpr (bulk) ptx::fence_proxy_async_shared();
    team.sync();
  }

  template <int Width, int Bytes>
  TILEPIPE_D void copy(unsigned char* to, const unsigned char* from, unsigned full) {
    BlockBarrier& barrier = barriers_[full];
    if constexpr (bulk && Width >= 16) {
      cuda::device::barrier_expect_tx(barrier, Bytes);
      (void)cuda::device::memcpy_async_tx(to, from, cuda::aligned_size_t<16>(Bytes), barrier);
    } else {
      (void)cuda::memcpy_async(to, from, cuda::aligned_size_t<Width>(Bytes), barrier);
    }
  }

  TILEPIPE_D unsigned full_address(Position p) const { return static_cast<unsigned>(p.slot()); }
  TILEPIPE_D void acquire(Position) {}
  TILEPIPE_D void publish(Position p, unsigned) {
    ptx::compiler_barrier();
    (void)barriers_[p.slot()].arrive();
  }
  TILEPIPE_D void commit() {}
  TILEPIPE_D void arrive_stored(unsigned) {}
  TILEPIPE_D void wait(Position p, int) {
    const int i = p.slot();
    const unsigned odd = odd_[Count > 32 ? i / 32 : 0] >> i % 32 & 1u;
    barriers_[i].wait_parity((p.parity ^ odd) != 0);
    ptx::compiler_barrier();
  }
  TILEPIPE_D void release(Position) {}
  TILEPIPE_D void give_back() {}
  TILEPIPE_D void finish(Position) {}
  TILEPIPE_D void close() {}

 private:
  BlockBarrier* barriers_;
  unsigned odd_[ceil_div(Count, 32)] = {};
};

// The policy that binds them: Pipeline pipe{ring, Block<256>{}, interop::bind(barriers), load}.
template <int Count, class Observer_>
struct BarrierBinding {
  using IsPolicy = void;
  using Observer = Observer_;
  static constexpr Completion completion = Completion::foreign;
  template <class Protocol>
  using Foreign = BoundBarriersCompletion<Protocol, Count>;
  BlockBarrier* barriers;
  Observer observer;
};

// One cuda::barrier for each part of each stage, in shared memory, initialised for the number of
// threads of the team, which has had a barrier since. They outlive the Pipeline, and nothing else
// uses them meanwhile. By every thread of the team.
template <int Count, class Observer = DefaultObserver>
TILEPIPE_D BarrierBinding<Count, Observer> bind(BlockBarrier (&barriers)[Count],
                                                const Observer& observer = {}) {
  return {barriers, observer};
}

}  // namespace interop
TILEPIPE_NAMESPACE_END
