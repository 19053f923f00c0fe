// SPDX-License-Identifier: Apache-2.0
// How the roles of a block share its registers: the rules of setmaxnreg. PTX ISA, "Miscellaneous
// Instructions: setmaxnreg".
#pragma once

#include "arch.hpp"
#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

// Registers of a loading and of a computing thread; 0 for as many as the kernel was compiled for.
struct RegisterSplit {
  int loading = 0;
  int computing = 0;
  int blocks_per_sm = 1;  // as in the kernel's __launch_bounds__
  bool demanded = false;
  TILEPIPE_HD constexpr bool any() const { return loading != 0 || computing != 0; }
};

inline constexpr int registers_per_sm = 65536;

// Registers that a thread is launched with where __launch_bounds__ say `threads` and `blocks`.
TILEPIPE_HD constexpr int registers_at_launch(int threads, int blocks) {
  return min_of(registers_per_sm / (threads * blocks) / 8 * 8, 256);
}

#define TILEPIPE_REGISTER_REFUSALS(X)                                                              \
  X(roles,                                                                                         \
    "tilepipe::SplitRegisters<Loading, Computing>: setmaxnreg is for whole warpgroups; use "       \
    "Specialized with "                                                                            \
    "multiples of 128 threads, or leave it out")                                                   \
  X(count, "tilepipe::SplitRegisters<Loading, Computing>: both must be 24 to 256 in steps of 8")   \
  X(sum,                                                                                           \
    "tilepipe::SplitRegisters<Loading, Computing, BlocksPerSm>: a block is launched with 65536 / " \
    "(threads * "                                                                                  \
    "BlocksPerSm) registers a thread, rounded down to 8; Loading must be at most that, Computing " \
    "at least that, and "                                                                          \
    "all threads' sum no more than the block's")                                                   \
  X(target,                                                                                        \
    "tilepipe::DemandRegisters<Loading, Computing>: setmaxnreg needs a target such as sm_90a or "  \
    "sm_100f; compile "                                                                            \
    "for one, or use SplitRegisters, which leaves it out elsewhere")

#define TILEPIPE_NAME(name, text) name,
#define TILEPIPE_CASE(name, text) \
  case Enum::name:                \
    return text;
enum class RegisterRefusal { none, TILEPIPE_REGISTER_REFUSALS(TILEPIPE_NAME) };
TILEPIPE_HD constexpr const char* sentence(RegisterRefusal r) {
  using Enum = RegisterRefusal;
  switch (r) {
    TILEPIPE_REGISTER_REFUSALS(TILEPIPE_CASE)
    default:
      return "";
  }
}
#undef TILEPIPE_NAME
#undef TILEPIPE_CASE

TILEPIPE_HD constexpr bool is_register_count(int n) { return n >= 24 && n <= 256 && n % 8 == 0; }

// Whether roles of so many threads, the computing ones in groups, can have the split; and if not,
// why. `target`: whether the target has setmaxnreg.
TILEPIPE_HD constexpr RegisterRefusal refuse_registers(bool target, bool roles, int loading_threads,
                                                       int group_threads, int groups,
                                                       RegisterSplit split) {
  if (!split.any()) return RegisterRefusal::none;
  if (!roles || loading_threads % 128 != 0 || group_threads % 128 != 0)
    return RegisterRefusal::roles;
  if (!is_register_count(split.loading) || !is_register_count(split.computing))
    return RegisterRefusal::count;
  const int computing_threads = group_threads * groups;
  const int threads = loading_threads + computing_threads;
  const int at_launch = registers_at_launch(threads, max_of(split.blocks_per_sm, 1));
  if (split.loading > at_launch || split.computing < at_launch ||
      split.loading * loading_threads + split.computing * computing_threads > at_launch * threads)
    return RegisterRefusal::sum;
  if (split.demanded && !target) return RegisterRefusal::target;
  return RegisterRefusal::none;
}

TILEPIPE_NAMESPACE_END
