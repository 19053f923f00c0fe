// SPDX-License-Identifier: Apache-2.0
// Teams: the threads that share the stages of a pipeline, and their roles.
#pragma once

#include "../core/completion.hpp"
#include "../ptx/barrier.cuh"

TILEPIPE_NAMESPACE_BEGIN

// A team has: kind; loading_threads and computing_threads, 0 where known at run time only;
// loading_rank and computing_rank, loading_size and computing_size of the calling thread's role;
// groups of computing threads, of which computing_* speak, and group(), the calling thread's;
// all_computing, the threads of all groups; sync(), a barrier among all its threads;
// sync_computing(group), among those of a group. All threads of the team call it, converged.

// Who computes a stage where the computing threads are several groups.
enum class Sharing {
  every,  // every group reads every stage: the same values, or rows of its own
  turns,  // one group at a time: tiles go to the groups in turns
};

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
  static constexpr int all_computing = Threads;
  static constexpr int groups = 1;
  static constexpr Sharing sharing = Sharing::every;
  static constexpr int first_barrier = 1;
  static constexpr int group_barriers = 1;
  TILEPIPE_D int group() const { return 0; }
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
  TILEPIPE_D void sync_computing(int = 0) const { __syncthreads(); }
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
  TILEPIPE_D void sync_computing(int = 0) const { __syncwarp(); }
};

// One thread, with a ring of its own: no barrier at all.
struct Thread : UnifiedTeam<TeamKind::thread, 1> {
  TILEPIPE_D int loading_rank() const { return 0; }
  TILEPIPE_D int computing_rank() const { return 0; }
  TILEPIPE_D int loading_size() const { return 1; }
  TILEPIPE_D int computing_size() const { return 1; }
  TILEPIPE_D void sync() const {}
  TILEPIPE_D void sync_computing(int = 0) const {}
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
  TILEPIPE_D void sync_computing(int = 0) const { group.sync(); }
};
template <class G>
GroupTeam(const G&) -> GroupTeam<G>;

// Roles: threads 0..Groups*GroupThreads-1 of the block compute, in groups, the next Producers
// threads load. The block has exactly these. Not for users: the three teams below are.
template <int Producers, int GroupThreads, int Groups, Sharing Share, int FirstBarrier>
struct RolesTeam {
  static_assert(Producers > 0 && GroupThreads > 0 && Producers % 32 == 0 && GroupThreads % 32 == 0,
                "tilepipe::Specialized<Producers, Consumers>: both must be positive multiples of "
                "32, whole warps");
  static_assert(
      Groups >= 1 && Groups <= 6,
      "tilepipe::SpecializedGroups<Producers, GroupThreads, Groups>: Groups must be 1..6");
  static_assert(Producers + Groups * GroupThreads <= 1024,
                "tilepipe::Specialized<Producers, Consumers>: a block has at most 1024 threads");
  static_assert(
      FirstBarrier >= 1 && FirstBarrier <= 14,
      "tilepipe::Specialized<Producers, Consumers, FirstBarrier>: FirstBarrier must be 1..14");
  using IsTeam = void;
  static constexpr TeamKind kind = TeamKind::specialized;
  static constexpr int loading_threads = Producers;
  static constexpr int computing_threads = GroupThreads;  // of a group
  static constexpr int groups = Groups;
  static constexpr Sharing sharing = Share;
  static constexpr int all_computing = Groups * GroupThreads;
  // Threads that wait for a stage and release it.
  static constexpr int stage_threads = Share == Sharing::every ? all_computing : GroupThreads;
  // Named barriers: from the first on those of stages, below CC 8.0; from 15 down one a group and,
  // with turns, a second one.
  static constexpr int first_barrier = FirstBarrier;
  static constexpr int group_barriers = Share == Sharing::turns ? 2 * Groups : Groups;

  TILEPIPE_D int loading_rank() const { return thread_rank_in_block() - all_computing; }
  TILEPIPE_D int computing_rank() const {
    const int rank = thread_rank_in_block();
    if constexpr (Groups == 1)
      return rank;
    else
      return rank < all_computing ? rank % GroupThreads : rank - all_computing + GroupThreads;
  }
  TILEPIPE_D int loading_size() const { return Producers; }
  TILEPIPE_D int computing_size() const { return GroupThreads; }
  // Of the calling thread, 0 to Groups - 1; Groups and more in loading threads.
  TILEPIPE_D int group() const { return thread_rank_in_block() / GroupThreads; }
  TILEPIPE_D void sync() const { __syncthreads(); }
  // Among the threads of a group.
  TILEPIPE_D void sync_computing(int group = 0) const {
    ptx::named_barrier_sync(15 - group, GroupThreads);
  }
  // Turns: waits until the group before has had its turn, and says to a group that it is next.
  TILEPIPE_D void wait_for_turn(int group) const {
    ptx::named_barrier_sync(15 - Groups - group, 2 * GroupThreads);
  }
  TILEPIPE_D void pass_turn(int to) const {
    ptx::named_barrier_arrive(15 - Groups - to, 2 * GroupThreads);
  }
};

// Roles: threads 0..Consumers-1 of the block compute, the next Producers threads load. The block
// has exactly both. FirstBarrier: the first of the named barriers that roles take below CC 8.0
// (Stages * (Parts + 1) of them, and number 15 on every architecture); a second pipeline with roles
// in a kernel needs others.
template <int Producers, int Consumers, int FirstBarrier = 1>
struct Specialized : RolesTeam<Producers, Consumers, 1, Sharing::every, FirstBarrier> {};

// The same with Groups groups of GroupThreads computing threads, say warpgroups. Every group reads
// every stage, on its own: none waits for another but where the stages run out. rank(), size(),
// sync() and for_each() of the pipeline are those of the calling thread's group, group() is its
// number. Takes the named barriers from 15 down, one a group.
template <int Producers, int GroupThreads, int Groups, int FirstBarrier = 1>
struct SpecializedGroups
    : RolesTeam<Producers, GroupThreads, Groups, Sharing::every, FirstBarrier> {};

// The same with stages that one group reads: tiles 0 .. length - 1 of a run are the first group's,
// the next `length` the second's, and so round. A group's turn begins when the group before has
// waited for the last tile of its own, so that what compute does after that overlaps with the next
// turn ("ping-pong"). Stages are waited for and released inside run() alone. Takes two named
// barriers a group.
template <int Producers, int GroupThreads, int Groups, int FirstBarrier = 1>
struct SpecializedTurns : RolesTeam<Producers, GroupThreads, Groups, Sharing::turns, FirstBarrier> {
  static_assert(Groups >= 2,
                "tilepipe::SpecializedTurns<Producers, GroupThreads, Groups>: Groups must be 2..6");
  long long length;  // tiles of a turn
  // tiles: of a turn, at least 1.
  TILEPIPE_D explicit SpecializedTurns(long long tiles = 1) : length(tiles) {}
};

TILEPIPE_NAMESPACE_END
