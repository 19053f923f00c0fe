// SPDX-License-Identifier: Apache-2.0
// Teams: the threads that share the stages of a pipeline, and their roles.
#pragma once

#include "../core/completion.hpp"
#include "../ptx/barrier.cuh"

TILEPIPE_NAMESPACE_BEGIN

// A team has: kind; loading_threads and computing_threads, 0 where known at run time only;
// loading_rank and computing_rank, loading_size and computing_size of the calling thread's role;
// sync(), a barrier among all its threads; sync_computing(), among those that compute. All threads
// of the team call it, converged.

// Rank of the thread in a block of 1, 2 or 3 dimensions.
TILEPIPE_D int thread_rank_in_block() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

// Teams in which every thread loads and computes.
template <TeamKind Kind, int Threads>
struct UnifiedTeam {
  using IsTeam = void;
  static constexpr TeamKind kind = Kind;
  static constexpr int loading_threads = Threads;
  static constexpr int computing_threads = Threads;
  static constexpr int first_barrier = 1;
};

// Every thread of the block. Threads: their number if known at compile time, which makes loops over
// a tile unroll (61 instead of 137 PTX instructions in a loop); 0 if not.
template <int Threads = 0>
struct Block : UnifiedTeam<TeamKind::block, Threads> {
  static_assert(Threads >= 0 && Threads <= 1024,
                "tilepipe::Block<Threads>: Threads must be 0..1024");
  TILEPIPE_D int loading_rank() const {
    const int rank = thread_rank_in_block();
    if constexpr (Threads > 0) __builtin_assume(rank >= 0 && rank < Threads);
    return rank;
  }
  TILEPIPE_D int computing_rank() const { return loading_rank(); }
  TILEPIPE_D int loading_size() const {
    return Threads > 0 ? Threads : static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  }
  TILEPIPE_D int computing_size() const { return loading_size(); }
  TILEPIPE_D void sync() const { __syncthreads(); }
  TILEPIPE_D void sync_computing() const { __syncthreads(); }
};

// The 32 lanes of a warp, with a ring of its own. The block's size must be a multiple of 32.
struct Warp : UnifiedTeam<TeamKind::warp, 32> {
  TILEPIPE_D int loading_rank() const {
    const int rank = thread_rank_in_block() & 31;
    __builtin_assume(rank >= 0 && rank < 32);
    return rank;
  }
  TILEPIPE_D int computing_rank() const { return loading_rank(); }
  TILEPIPE_D int loading_size() const { return 32; }
  TILEPIPE_D int computing_size() const { return 32; }
  TILEPIPE_D void sync() const { __syncwarp(); }
  TILEPIPE_D void sync_computing() const { __syncwarp(); }
};

// One thread, with a ring of its own: no barrier at all.
struct Thread : UnifiedTeam<TeamKind::thread, 1> {
  TILEPIPE_D int loading_rank() const { return 0; }
  TILEPIPE_D int computing_rank() const { return 0; }
  TILEPIPE_D int loading_size() const { return 1; }
  TILEPIPE_D int computing_size() const { return 1; }
  TILEPIPE_D void sync() const {}
  TILEPIPE_D void sync_computing() const {}
};

// Any group of threads of a block that has thread_rank(), size() and sync(), say a tile of
// cooperative groups. Size: its number of threads if known at compile time.
template <class G, int Size = 0>
struct GroupTeam : UnifiedTeam<TeamKind::group, Size> {
  G group;
  TILEPIPE_D explicit GroupTeam(const G& g) : group(g) {}
  TILEPIPE_D int loading_rank() const { return static_cast<int>(group.thread_rank()); }
  TILEPIPE_D int computing_rank() const { return loading_rank(); }
  TILEPIPE_D int loading_size() const { return Size > 0 ? Size : static_cast<int>(group.size()); }
  TILEPIPE_D int computing_size() const { return loading_size(); }
  TILEPIPE_D void sync() const { group.sync(); }
  TILEPIPE_D void sync_computing() const { group.sync(); }
};
template <class G>
GroupTeam(const G&) -> GroupTeam<G>;

// Roles: threads 0..Consumers-1 of the block compute, the next Producers threads load. The block
// has exactly both. FirstBarrier: the first of the named barriers that roles take below CC 8.0
// (Stages * (Parts + 1) of them, and number 15 on every architecture); a second pipeline with roles
// in a kernel needs others.
template <int Producers, int Consumers, int FirstBarrier = 1>
struct Specialized {
  static_assert(Producers > 0 && Consumers > 0 && Producers % 32 == 0 && Consumers % 32 == 0,
                "tilepipe::Specialized<Producers, Consumers>: both must be positive multiples of "
                "32, whole warps");
  static_assert(Producers + Consumers <= 1024,
                "tilepipe::Specialized<Producers, Consumers>: a block has at most 1024 threads");
  using IsTeam = void;
  static constexpr TeamKind kind = TeamKind::specialized;
  static constexpr int loading_threads = Producers;
  static constexpr int computing_threads = Consumers;
  static_assert(
      FirstBarrier >= 1 && FirstBarrier <= 14,
      "tilepipe::Specialized<Producers, Consumers, FirstBarrier>: FirstBarrier must be 1..14");
  static constexpr int first_barrier = FirstBarrier;
  static constexpr int computing_barrier =
      15;  // id of the named barrier among the computing threads

  TILEPIPE_D int loading_rank() const { return thread_rank_in_block() - Consumers; }
  TILEPIPE_D int computing_rank() const { return thread_rank_in_block(); }
  TILEPIPE_D int loading_size() const { return Producers; }
  TILEPIPE_D int computing_size() const { return Consumers; }
  TILEPIPE_D void sync() const { __syncthreads(); }
  TILEPIPE_D void sync_computing() const { ptx::named_barrier_sync(computing_barrier, Consumers); }
};

TILEPIPE_NAMESPACE_END
