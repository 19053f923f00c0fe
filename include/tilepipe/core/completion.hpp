// SPDX-License-Identifier: Apache-2.0
// How a stage is known to be full: the table of paths, teams and completions, and what follows for
// barriers.
#pragma once

#include "arch.hpp"
#include "path.hpp"
#include "ring.hpp"

TILEPIPE_NAMESPACE_BEGIN

enum class Completion {
  automatic,  // the library chooses
  groups,     // each thread waits for its own copies (cp.async.wait_group), then the team's barrier
  mbarrier,   // full, and in roles empty, mbarriers; from CC 8.0
  named_barrier,  // bar.sync and bar.arrive; roles below CC 8.0
  foreign,        // the other library's own
};

enum class TeamKind { thread, warp, group, block, specialized };

// choose_path() for a loader in a pipeline: where the library would choose bulk or tensor copies,
// and the team or the demanded completion cannot have them, cp.async, which takes every such tile.
TILEPIPE_HD constexpr Choice choose_path(int arch, TileShape s, LoaderConfig c, TeamKind team,
                                         Completion demanded) {
  const Choice choice = choose_path(arch, s, c);
  const bool tensor = choice.path == Path::tensor;
  if (!(choice.path == Path::bulk || tensor) || c.demanded != Path::automatic) return choice;
  const int w = promised_alignment(s, c);  // 16, which cp.async takes
  if (team == TeamKind::thread)
    return {Path::cp_async, w,
            tensor ? "the plain view: a thread of its own has no tensor copies"
                   : "a thread of its own has no bulk copies"};
  if (demanded == Completion::groups)
    return {Path::cp_async, w,
            tensor ? "the plain view: groups do not take tensor copies"
                   : "groups do not take bulk copies"};
  return choice;
}

// The paths of a pipeline's loaders.
struct PathSet {
  bool registers = false;
  bool cp_async = false;
  bool bulk = false;
  bool tensor = false;
  bool libcudacxx = false;
  bool stores = false;  // some loader that issues cp.async also stores, at edges or odd alignments
  bool many_issue = false;  // some loader's bulk or tensor copies are issued by several threads

  TILEPIPE_HD constexpr void add(Path p, bool stores_at_issue = false, bool one_issuer = false) {
    stores = stores || stores_at_issue;
    many_issue = many_issue || ((p == Path::bulk || p == Path::tensor) && !one_issuer);
    registers = registers || p == Path::registers;
    cp_async = cp_async || p == Path::cp_async;
    bulk = bulk || p == Path::bulk;
    tensor = tensor || p == Path::tensor;
    libcudacxx = libcudacxx || p == Path::libcudacxx;
  }
  // Copies that count bytes on an mbarrier, issued by elected threads.
  TILEPIPE_HD constexpr bool transactions() const { return bulk || tensor; }
  // Copies after which every loading thread arrives for itself.
  TILEPIPE_HD constexpr bool each_arrives() const { return registers || cp_async; }
};

// Without a measured advantage, the pipeline keeps Stages - 1 tiles in flight by groups; at 2
// stages that is half of what an mbarrier allows (measured: 3801 against 3222 GB/s on an H200,
// docs/paths.md).
inline constexpr int mbarrier_up_to_stages = 2;

struct CompletionChoice {
  Completion completion;
  const char* reason;
};

// The completion of a pipeline on an architecture, and why. What is demanded is answered as
// demanded, also where refuse_pipeline() refuses it.
TILEPIPE_HD constexpr CompletionChoice choose_completion(int arch, TeamKind team, int stages,
                                                         PathSet paths, Completion demanded) {
  const bool mbarrier = arch_traits(arch).mbarrier;
  const char* const by_barrier = paths.cp_async ? "Stages - 1 tiles in flight, one barrier a tile"
                                                : "stores before the team's barrier";
  if (paths.libcudacxx) return {Completion::foreign, "the other library completes its own copies"};
  if (demanded != Completion::automatic) return {demanded, "demanded by the kernel"};
  if (paths.transactions())
    return {Completion::mbarrier, paths.tensor ? "tensor copies count their bytes on an mbarrier"
                                               : "bulk copies count their bytes on an mbarrier"};
  if (team == TeamKind::specialized && mbarrier)
    return {Completion::mbarrier, "roles hand stages over on mbarriers"};
  if (team == TeamKind::specialized)
    return {Completion::named_barrier, "roles without mbarriers, which need 8.0"};
  if (team == TeamKind::thread) return {Completion::groups, "a thread waits for its own copies"};
  if (!mbarrier) return {Completion::groups, "mbarriers need compute capability 8.0"};
  if (paths.registers && paths.cp_async)
    return {Completion::mbarrier, "the stage's loaders differ in their path"};
  if (team == TeamKind::block && paths.cp_async && stages > 1 && stages <= mbarrier_up_to_stages)
    return {Completion::mbarrier, "with 2 stages both stay in flight (measured)"};
  return {Completion::groups, by_barrier};
}

#define TILEPIPE_PIPELINE_REFUSALS(X)                                                             \
  X(thread_bulk,                                                                                  \
    "tilepipe::Pipeline{ring, Thread{}, loaders...}: a thread of its own cannot use bulk or "     \
    "tensor copies; "                                                                             \
    "name another path "                                                                          \
    "with Via, or use Warp")                                                                      \
  X(thread_mbarrier,                                                                              \
    "tilepipe::Pipeline{ring, Thread{}, ...}: a thread's own copies complete by groups; leave "   \
    "the completion out")                                                                         \
  X(groups_bulk,                                                                                  \
    "tilepipe::Pipeline{..., CompleteBy<Completion::groups>{}, ...}: bulk and tensor copies "     \
    "complete on an "                                                                             \
    "mbarrier; leave the "                                                                        \
    "completion out")                                                                             \
  X(groups_specialized,                                                                           \
    "tilepipe::Pipeline{ring, Specialized{}, CompleteBy<Completion::groups>{}, ...}: groups are " \
    "known to the "                                                                               \
    "issuing thread alone, and roles need mbarriers; leave the completion out")                   \
  X(mbarrier_needs_sm80,                                                                          \
    "tilepipe::Pipeline{..., CompleteBy<Completion::mbarrier>{}, ...}: mbarriers need compute "   \
    "capability 8.0; leave "                                                                      \
    "the completion out to let the library choose")                                               \
  X(named_barrier_unified,                                                                        \
    "tilepipe::Pipeline{..., CompleteBy<Completion::named_barrier>{}, ...}: named barriers are "  \
    "for roles below "                                                                            \
    "compute capability 8.0; leave the completion out")                                           \
  X(named_barrier_transfers,                                                                      \
    "tilepipe::Pipeline{..., CompleteBy<Completion::named_barrier>{}, ...}: asynchronous copies " \
    "do not complete on "                                                                         \
    "named barriers; leave the completion out")                                                   \
  X(named_barrier_ids,                                                                            \
    "tilepipe::Pipeline{ring, Specialized{}, ...}: roles below compute capability 8.0 use the "   \
    "named barriers 1 to "                                                                        \
    "14, so Stages * (Parts + 1) must be at most 14, counted from FirstBarrier, and less where "  \
    "the computing "                                                                              \
    "threads are several groups; use fewer stages or parts")                                      \
  X(foreign_mixed,                                                                                \
    "tilepipe::Pipeline{..., loaders...}: Via<Path::libcudacxx> does not mix with the library's " \
    "own paths in one "                                                                           \
    "pipeline; use it on every loader or on none")                                                \
  X(foreign_completion,                                                                           \
    "tilepipe::Pipeline{..., CompleteBy<Completion::foreign>{}, ...}: foreign completion goes "   \
    "with "                                                                                       \
    "Via<Path::libcudacxx>, and only with it; leave the completion out")

enum class PipelineRefusal { none, TILEPIPE_PIPELINE_REFUSALS(TILEPIPE_NAME) };
TILEPIPE_HD constexpr const char* sentence(PipelineRefusal r) {
  using Enum = PipelineRefusal;
  switch (r) {
    TILEPIPE_PIPELINE_REFUSALS(TILEPIPE_CASE)
    default:
      return "";
  }
}

// Whether a team can use the paths with the completion (a resolved one, not automatic), and if not,
// why. Named barriers: of roles, the first for stages; and how many, from 15 down, the computing
// threads take.
TILEPIPE_HD constexpr PipelineRefusal refuse_pipeline(int arch, TeamKind team, int stages,
                                                      int parts, PathSet paths,
                                                      Completion completion, int first_barrier = 1,
                                                      int group_barriers = 1) {
  const bool own = paths.each_arrives() || paths.transactions();
  if (paths.libcudacxx && own) return PipelineRefusal::foreign_mixed;
  if (paths.libcudacxx != (completion == Completion::foreign))
    return PipelineRefusal::foreign_completion;
  if (paths.libcudacxx) return PipelineRefusal::none;
  if (team == TeamKind::thread && paths.transactions()) return PipelineRefusal::thread_bulk;
  switch (completion) {
    case Completion::groups:
      if (paths.transactions()) return PipelineRefusal::groups_bulk;
      if (team == TeamKind::specialized) return PipelineRefusal::groups_specialized;
      return PipelineRefusal::none;
    case Completion::mbarrier:
      if (team == TeamKind::thread) return PipelineRefusal::thread_mbarrier;
      if (!arch_traits(arch).mbarrier) return PipelineRefusal::mbarrier_needs_sm80;
      return PipelineRefusal::none;
    case Completion::named_barrier:
      if (team != TeamKind::specialized) return PipelineRefusal::named_barrier_unified;
      if (paths.cp_async || paths.transactions()) return PipelineRefusal::named_barrier_transfers;
      if (first_barrier + stages * (parts + 1) + group_barriers > 16)
        return PipelineRefusal::named_barrier_ids;
      return PipelineRefusal::none;
    default:
      return PipelineRefusal::none;
  }
}

// Arrivals that complete a part on its full mbarrier: one for all bytes; and each loading thread's
// own, one by its landed copies, one after its late stores, one after what it stored beside its
// copies (an arrival by copies does not order the thread's stores).
TILEPIPE_HD constexpr int full_arrivals(PathSet paths, int loading_threads) {
  const int each = (paths.cp_async ? 1 : 0) + (paths.registers ? 1 : 0) + (paths.stores ? 1 : 0);
  return (paths.transactions() ? 1 : 0) + each * loading_threads;
}

TILEPIPE_NAMESPACE_END

#undef TILEPIPE_NAME
#undef TILEPIPE_CASE
