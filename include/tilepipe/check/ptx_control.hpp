// SPDX-License-Identifier: Apache-2.0
// PTX branches and exits, and the instructions by which lanes of a warp meet.
#pragma once

#include "ptx_integer.hpp"

namespace tilepipe::check::ptx {

namespace control {

inline void branch(Context& c, const Instruction& i) { c.pc = i.target; }
inline void exit(Context& c, const Instruction&) { c.block.exit(c.thread); }
inline void trap(Context& c, const Instruction& i) {
  c.block.report(Kind::protocol, i.place, no_place,
                 "thread " + std::to_string(c.thread) + " traps at " + c.block.at(i.place));
  c.block.give_up();
  c.block.threads()[c.thread].stop = true;
}
inline void fail_assertion(Context& c, const Instruction& i) {
  c.block.report(
      Kind::protocol, i.place, no_place,
      "an assertion of thread " + std::to_string(c.thread) + " fails at " + c.block.at(i.place));
  c.block.give_up();
  c.block.threads()[c.thread].stop = true;
}
inline void nothing(Context&, const Instruction&) {}

}  // namespace control

namespace warp {

enum class Verb : std::uint32_t {
  sync,
  up,
  down,
  butterfly,
  index,
  ballot,
  any,
  all,
  uniform,
  elect,
  match,
  match_all,
  reduce,
  matrix
};

// The registers of a lane of the caller's warp.
inline Word* registers_of(const Context& c, std::uint32_t lane) {
  return c.all[c.thread / 32 * 32 + lane].r;
}
template <class F>
void for_lanes(const WarpMeeting& meeting, F f) {
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if ((meeting.mask >> lane & 1) != 0)
      f(lane, *static_cast<const Instruction*>(meeting.callers[lane]));
}

inline WarpMeeting* meet(Context& c, const Instruction& i, Verb verb, int mask_slot, Word brought) {
  WarpMeeting* meeting =
      c.block.meet(c.thread, static_cast<std::uint32_t>(verb),
                   value<std::uint32_t>(c.r[i.slot[mask_slot]]), brought, &i, i.place);
  return meeting != nullptr && meeting->complete() ? meeting : nullptr;
}

inline void sync(Context& c, const Instruction& i) {
  if (const WarpMeeting* meeting = meet(c, i, Verb::sync, 0, 0))
    c.block.close_meeting(c.thread, meeting, true);
}

// Which lane a shuffle reads, and whether that lane is in range.
struct Source {
  std::uint32_t lane;
  bool in_range;
};
inline Source shuffle_source(Verb verb, std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t segment = c >> 8 & 31, clamp = c & 31, by = b & 31;
  const std::uint32_t first = lane & segment, last = first | (clamp & ~segment);
  std::uint32_t from = 0;
  bool in_range = false;
  if (verb == Verb::up) {
    from = lane - by;
    in_range = static_cast<int>(from) >= static_cast<int>(last);
  } else {
    if (verb == Verb::down) from = lane + by;
    if (verb == Verb::butterfly) from = lane ^ by;
    if (verb == Verb::index) from = first | (by & ~segment);
    in_range = from <= last;
  }
  return {in_range ? from : lane, in_range};
}

// d|p, a, b, c, mask: slots 0, 1, 2, 3, 4, 5.
template <Verb V>
void shuffle(Context& c, const Instruction& i) {
  const WarpMeeting* meeting = meet(c, i, V, 5, value<std::uint32_t>(c.r[i.slot[2]]));
  if (meeting == nullptr) return;
  for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
    Word* r = registers_of(c, lane);
    const Source from = shuffle_source(V, lane, value<std::uint32_t>(r[its.slot[3]]),
                                       value<std::uint32_t>(r[its.slot[4]]));
    if ((meeting->mask >> from.lane & 1) == 0)
      c.block.report(Kind::protocol, its.place, no_place,
                     "a shuffle reads lane " + std::to_string(from.lane) +
                         ", which its mask does not name, at " + c.block.at(its.place));
    r[its.slot[0]] = meeting->values[from.lane];
    r[its.slot[1]] = from.in_range;
  });
  c.block.close_meeting(c.thread, meeting, false);
}

// d, a, mask.
template <Verb V>
void vote(Context& c, const Instruction& i) {
  const WarpMeeting* meeting = meet(c, i, V, 2, value<bool>(c.r[i.slot[1]]));
  if (meeting == nullptr) return;
  std::uint32_t ballot = 0;
  for_lanes(*meeting, [&](std::uint32_t lane, const Instruction&) {
    ballot |= static_cast<std::uint32_t>(meeting->values[lane]) << lane;
  });
  const Word any = ballot != 0, all = ballot == meeting->mask;
  const Word result = V == Verb::ballot ? Word{ballot}
                      : V == Verb::any  ? any
                      : V == Verb::all  ? all
                                        : Word{all != 0 || any == 0};
  for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
    registers_of(c, lane)[its.slot[0]] = result;
  });
  c.block.close_meeting(c.thread, meeting, false);
}

// d, a, mask: which lanes bring the same value; with `All`, d|p: all lanes if all do.
template <class T, bool All>
void match(Context& c, const Instruction& i) {
  const int first = All ? 2 : 1;
  const Word brought = value<T>(c.r[i.slot[first]]);
  const WarpMeeting* meeting = meet(c, i, All ? Verb::match_all : Verb::match, first + 1, brought);
  if (meeting == nullptr) return;
  for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
    std::uint32_t same = 0;
    for_lanes(*meeting, [&](std::uint32_t other, const Instruction&) {
      if (meeting->values[other] == meeting->values[lane]) same |= 1u << other;
    });
    const bool all = same == meeting->mask;
    registers_of(c, lane)[its.slot[0]] = All && !all ? 0 : same;
    if (All) registers_of(c, lane)[its.slot[1]] = all;
  });
  c.block.close_meeting(c.thread, meeting, false);
}

// d, a, mask: one result for all lanes.
template <class T, class Operation>
void reduce(Context& c, const Instruction& i) {
  const WarpMeeting* meeting = meet(c, i, Verb::reduce, 2, value<std::uint32_t>(c.r[i.slot[1]]));
  if (meeting == nullptr) return;
  bool first = true;
  T all{};
  for_lanes(*meeting, [&](std::uint32_t lane, const Instruction&) {
    const T brought = static_cast<T>(meeting->values[lane]);
    all = first ? brought : Operation{}(all, brought);
    first = false;
  });
  for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
    registers_of(c, lane)[its.slot[0]] = word(all);
  });
  c.block.close_meeting(c.thread, meeting, false);
}

// Which lanes run together is not defined: the lane alone is always among the answers.
inline void active_mask(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = Word{1} << c.thread % 32;
}

// d|p, mask: one lane of the mask is elected, which one is the schedule's choice.
inline void elect(Context& c, const Instruction& i) {
  const WarpMeeting* meeting = meet(c, i, Verb::elect, 2, 0);
  if (meeting == nullptr) return;
  const std::uint32_t leader = c.block.leader(meeting->mask);
  for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
    registers_of(c, lane)[its.slot[0]] = leader;
    registers_of(c, lane)[its.slot[1]] = lane == leader;
  });
  c.block.close_meeting(c.thread, meeting, false);
}

}  // namespace warp

inline void add_control_instructions(Table& table) {
  for (const char* name : {"bra", "bra.uni"}) table.add(name, {control::branch, "l"});
  for (const char* name : {"ret", "exit"}) table.add(name, {control::exit, ""});
  table.add("trap", {control::trap, ""});
  table.add("call vprintf", {control::nothing, ""});  // nothing is printed
  table.add("call __assertfail", {control::fail_assertion, ""});
  table.add("nanosleep.u32", {control::nothing, "r"});
  table.add("bar.warp.sync", {warp::sync, "r"});
  table.add("shfl.sync.up.b32", {warp::shuffle<warp::Verb::up>, "qrrrr"});
  table.add("shfl.sync.down.b32", {warp::shuffle<warp::Verb::down>, "qrrrr"});
  table.add("shfl.sync.bfly.b32", {warp::shuffle<warp::Verb::butterfly>, "qrrrr"});
  table.add("shfl.sync.idx.b32", {warp::shuffle<warp::Verb::index>, "qrrrr"});
  table.add("vote.sync.ballot.b32", {warp::vote<warp::Verb::ballot>, "drr"});
  table.add("vote.sync.any.pred", {warp::vote<warp::Verb::any>, "drr"});
  table.add("vote.sync.all.pred", {warp::vote<warp::Verb::all>, "drr"});
  table.add("vote.sync.uni.pred", {warp::vote<warp::Verb::uniform>, "drr"});
  table.add("match.any.sync.b32", {warp::match<std::uint32_t, false>, "drr"});
  table.add("match.any.sync.b64", {warp::match<Word, false>, "drr"});
  table.add("match.all.sync.b32", {warp::match<std::uint32_t, true>, "qrr"});
  table.add("match.all.sync.b64", {warp::match<Word, true>, "qrr"});
  table.add("activemask.b32", {warp::active_mask, "d"});
  table.add("redux.sync.add.u32", {warp::reduce<std::uint32_t, integer::Add>, "drr"});
  table.add("redux.sync.add.s32", {warp::reduce<std::int32_t, integer::Add>, "drr"});
  table.add("redux.sync.min.u32", {warp::reduce<std::uint32_t, integer::Min>, "drr"});
  table.add("redux.sync.min.s32", {warp::reduce<std::int32_t, integer::Min>, "drr"});
  table.add("redux.sync.max.u32", {warp::reduce<std::uint32_t, integer::Max>, "drr"});
  table.add("redux.sync.max.s32", {warp::reduce<std::int32_t, integer::Max>, "drr"});
  table.add("redux.sync.and.b32", {warp::reduce<std::uint32_t, integer::And>, "drr"});
  table.add("redux.sync.or.b32", {warp::reduce<std::uint32_t, integer::Or>, "drr"});
  table.add("redux.sync.xor.b32", {warp::reduce<std::uint32_t, integer::Xor>, "drr"});
  table.add("elect.sync", {warp::elect, "qr"});
}

}  // namespace tilepipe::check::ptx
