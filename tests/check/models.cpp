// SPDX-License-Identifier: Apache-2.0
// Tests of the checker's models, one step at a time: groups, mbarriers, barriers, meetings.
#include <tilepipe/check/async_copies.hpp>
#include <tilepipe/check/copy_groups.hpp>
#include <tilepipe/check/mbarrier.hpp>
#include <tilepipe/check/named_barrier.hpp>
#include <tilepipe/check/schedule.hpp>
#include <tilepipe/check/steps.hpp>
#include <tilepipe/check/warp_meeting.hpp>

#include "support/catch.hpp"

using namespace tilepipe::check;
using Error = Mbarrier::Error;

static Clock clock_of(Agent thread, Time time) {
  Clock clock;
  clock.seen.raise(thread, time);
  return clock;
}

TEST_CASE("wait_group covers all groups but the newest, empty ones too, and no open copies") {
  CopyGroups groups;
  CHECK(groups.complete_after_wait(0) == 0);
  CHECK(groups.issue() == 1);
  CHECK(groups.complete_after_wait(0) == 0);  // in no group yet
  groups.commit();                            // {1}
  groups.issue();
  groups.issue();
  groups.commit();  // {2, 3}
  groups.commit();  // {}
  groups.issue();
  CHECK(groups.complete_after_wait(0) == 3);
  CHECK(groups.complete_after_wait(1) == 3);
  CHECK(groups.complete_after_wait(2) == 1);
  CHECK(groups.complete_after_wait(3) == 0);
  CHECK(groups.complete_after_wait(9) == 0);
}

TEST_CASE("an mbarrier's phase ends with its arrivals, and parity 1 passes after init") {
  Mbarrier barrier;
  CHECK(barrier.arrive(1, clock_of(0, 1)) == Error::not_initialized);
  CHECK(barrier.init(0) == Error::count_out_of_range);
  CHECK(barrier.init(1 << 20) == Error::count_out_of_range);
  REQUIRE(barrier.init(2) == Error::none);
  CHECK(barrier.init(2) == Error::initialized_twice);
  CHECK(barrier.passed(1));
  CHECK_FALSE(barrier.passed(0));
  CHECK(barrier.arrive(1, clock_of(0, 5)) == Error::none);
  CHECK_FALSE(barrier.passed(0));
  CHECK(barrier.arrive(1, clock_of(1, 7)) == Error::none);
  CHECK(barrier.passed(0));
  CHECK_FALSE(barrier.passed(1));
  Clock waiter = clock_of(2, 1);
  barrier.observe(2, waiter);
  CHECK(waiter.knows(0, 5));
  CHECK(waiter.knows(1, 7));
  CHECK_FALSE(waiter.knows(1, 8));
}

TEST_CASE("an mbarrier's phase ends when arrivals and bytes are both complete, in either order") {
  for (const bool bytes_first : {false, true}) {
    Mbarrier barrier;
    REQUIRE(barrier.init(1) == Error::none);
    CHECK(barrier.expect_bytes(64) == Error::none);
    CHECK((bytes_first ? barrier.complete_bytes(64) : barrier.arrive(1, clock_of(0, 1))) ==
          Error::none);
    CHECK_FALSE(barrier.passed(0));
    CHECK((bytes_first ? barrier.arrive(1, clock_of(0, 1)) : barrier.complete_bytes(64)) ==
          Error::none);
    CHECK(barrier.passed(0));
  }
}

TEST_CASE("an mbarrier refuses bytes that nobody announced and arrivals beyond its count") {
  Mbarrier barrier;
  REQUIRE(barrier.init(1) == Error::none);
  CHECK(barrier.complete_bytes(16) == Error::none);  // may come before its announcement
  CHECK(barrier.arrive(1, clock_of(0, 1)) == Error::bytes_not_expected);
  Mbarrier other;
  REQUIRE(other.init(2) == Error::none);
  CHECK(other.arrive(3, clock_of(0, 1)) == Error::too_many_arrivals);
  CHECK(other.expect_bytes(Mbarrier::limit) == Error::none);
  CHECK(other.expect_bytes(1) == Error::bytes_out_of_range);
}

TEST_CASE("an arrival must know of a wait for the phase before, its own or another's") {
  Mbarrier barrier;
  REQUIRE(barrier.init(1) == Error::none);
  CHECK(barrier.arrive(1, clock_of(0, 1)) == Error::none);
  CHECK(barrier.arrive(1, clock_of(0, 2)) == Error::phase_not_observed);
  Clock waiter = clock_of(3, 4);
  barrier.observe(3, waiter);
  CHECK(barrier.arrive(1, clock_of(0, 3)) ==
        Error::phase_not_observed);  // observers are of a phase
  barrier.observe(3, waiter);
  Clock told = clock_of(0, 4);
  told.join(waiter);
  CHECK(barrier.arrive(1, told) == Error::none);
}

TEST_CASE("an mbarrier begins a new life after inval") {
  Mbarrier barrier;
  REQUIRE(barrier.init(1) == Error::none);
  CHECK(barrier.arrive(1, clock_of(0, 1)) == Error::none);
  CHECK(barrier.invalidate() == Error::none);
  CHECK(barrier.invalidate() == Error::not_initialized);
  REQUIRE(barrier.init(3) == Error::none);
  CHECK(barrier.phase() == 0);
  CHECK(barrier.phases_ever() == 1);
  CHECK(barrier.pending() == 3);
  CHECK(barrier.expect_arrival() == Error::none);
  CHECK(barrier.pending() == 4);
}

TEST_CASE("a named barrier releases those that wait, and refuses other counts") {
  NamedBarrier barrier;
  CHECK(barrier.arrive(0, 33, true, {}) == NamedBarrier::Error::count_not_whole_warps);
  for (std::uint32_t t = 0; t < 32; ++t)
    CHECK(barrier.arrive(t, 64, false, clock_of(t, t + 1)) == NamedBarrier::Error::none);
  CHECK(barrier.arrive(40, 32, true, {}) == NamedBarrier::Error::other_count);
  CHECK(barrier.arrive(3, 64, false, {}) == NamedBarrier::Error::arrived_twice);
  for (std::uint32_t t = 32; t < 64; ++t) {
    CHECK_FALSE(barrier.complete(64));
    CHECK(barrier.arrive(t, 64, true, clock_of(t, 1)) == NamedBarrier::Error::none);
  }
  REQUIRE(barrier.complete(64));
  Clock known;
  const std::vector<std::uint32_t> waiting = barrier.release(known);
  CHECK(waiting.size() == 32);
  CHECK(waiting.front() == 32);
  CHECK(known.knows(31, 32));
  CHECK(barrier.arrived() == 0);
  CHECK(barrier.arrive(3, 32, false, {}) == NamedBarrier::Error::none);
}

TEST_CASE("a barrier of the whole block counts the threads that have not exited") {
  NamedBarrier barrier;
  CHECK_FALSE(barrier.complete(0));
  CHECK(barrier.arrive(0, NamedBarrier::whole_block, true, {}) == NamedBarrier::Error::none);
  CHECK_FALSE(barrier.complete(2));
  CHECK(barrier.complete(1));
}

TEST_CASE("lanes of a warp meet by instruction and mask, and again in the next round") {
  WarpMeetings meetings;
  CHECK(meetings.join(0, 0b110, 0, 0, nullptr, {}) == nullptr);  // not in the mask
  WarpMeeting* first = meetings.join(0, 0b011, 0, 7, nullptr, clock_of(0, 3));
  CHECK_FALSE(first->complete());
  CHECK_FALSE(meetings.join(1, 0b011, 1, 0, nullptr, {})->complete());  // another instruction
  WarpMeeting* both = meetings.join(0, 0b011, 1, 8, nullptr, {});
  REQUIRE(both->complete());
  CHECK(both->values[0] == 7);
  CHECK(both->values[1] == 8);
  CHECK(both->gathering.knows(0, 3));
  meetings.close(both);
  CHECK(meetings.open().size() == 1);
  CHECK_FALSE(meetings.join(0, 0b011, 1, 0, nullptr, {})->complete());
}

TEST_CASE("copies land once, are taken in order, and count their bytes") {
  AsyncCopies copies(2);
  const auto add = [&](AsyncCopy::Kind kind, std::uint32_t thread, Time number) {
    AsyncCopy copy{kind, thread, 0};
    copy.number = number;
    copy.bytes = 16;
    return copies.add(copy);
  };
  const int a = add(AsyncCopy::Kind::cp_async, 0, 1), b = add(AsyncCopy::Kind::cp_async, 0, 2);
  const int c = add(AsyncCopy::Kind::cp_async, 1, 1), d = add(AsyncCopy::Kind::bulk, 0, 0);
  CHECK(copies.peak_bytes() == 64);
  CHECK(copies.last_to_force() == d);
  CHECK(copies.land(b));
  CHECK_FALSE(copies.land(b));
  CHECK(copies.take(0, 2) == std::vector<int>{a});
  CHECK(copies.take(0, 2).empty());
  CHECK(copies.take(1, 0).empty());
  CHECK(copies.land(d));
  CHECK(copies.last_to_force() == -1);
  CHECK(copies.land(a));
  CHECK(copies.under_way() == std::vector<int>{c});

  const int e = add(AsyncCopy::Kind::store, 1, 1), f = add(AsyncCopy::Kind::store, 1, 2);
  CHECK(copies.peak_bytes() == 64);     // a store writes no shared memory
  CHECK(copies.last_to_force() == -1);  // and lets nobody go on
  CHECK(copies.stores_up_to(0, 9).empty());
  CHECK(copies.stores_up_to(1, 1) == std::vector<int>{e});
  CHECK(copies.stores_up_to(1, 2) == std::vector<int>{e, f});
  CHECK(copies.land(e));
  CHECK(copies.stores_up_to(1, 2) == std::vector<int>{f});
}

TEST_CASE("a schedule's name replays it") {
  for (const Schedule& s : {Schedule::late(), Schedule::early(), Schedule::seeded(17)}) {
    Schedule again = Schedule::named(s.name()), once = s;
    CHECK(again.name() == s.name());
    CHECK(again.landing() == s.landing());
    for (int i = 0; i < 100; ++i) CHECK(again.pick(1000) == once.pick(1000));
  }
  const Schedule ordered = Schedule::ordered({{3, {1}}, {12, {0, 4}}});
  CHECK(ordered.name() == "order:3=1,12=0.4");
  const Schedule again = Schedule::named(ordered.name());
  CHECK(again.stops_before());
  CHECK(again.name() == ordered.name());
  CHECK(Schedule::named("order:").turns().empty());
  CHECK(Schedule::named("order:5=2,x").turns().size() == 1);
  CHECK(Schedule::named("order:5=").turns().empty());
  Schedule a = Schedule::seeded(1), b = Schedule::seeded(2);
  int equal = 0;
  for (int i = 0; i < 100; ++i) equal += a.pick(1000) == b.pick(1000);
  CHECK(equal < 10);
}

// On a barrier of two arrivals, of which one is pending, and so many bytes.
static Event event_on(std::uint32_t object, Step::Verb verb, std::int64_t amount,
                      std::int64_t bytes, std::int64_t missing = 16) {
  return {{0}, {verb, object, amount, bytes}, {1, 2, 1, missing, false}, false, {}};
}

TEST_CASE("an election takes a lane of its mask, the same each time, and other schedules others") {
  CHECK((Schedule::late().leader(0x50) == 4 && Schedule::ordered().leader(0x50) == 4));
  CHECK((Schedule::early().leader(0x50) == 6 && Schedule::early().leader(~0u) == 31));
  std::uint32_t elected = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::uint32_t lane = Schedule::seeded(seed).leader(0x80000111);
    CHECK(lane == Schedule::seeded(seed).leader(0x80000111));
    elected |= 1u << lane;
  }
  CHECK(elected == 0x80000111);
}

TEST_CASE("steps commute that count in one phase, whichever comes first") {
  using Verb = Step::Verb;
  const auto order_matters = [](const Event& a, const Event& b) {
    return dependent(a, b, a.before) || dependent(b, a, b.before);
  };
  const Event arrive = event_on(0, Verb::arrive, 1, 0), land = event_on(0, Verb::land, 0, 16);
  CHECK_FALSE(order_matters(arrive, land));
  CHECK_FALSE(order_matters(arrive, event_on(8, Verb::land, 0, 16)));  // another barrier
  CHECK_FALSE(order_matters(event_on(0, Verb::issue, 0, 0), arrive));
  CHECK(order_matters(event_on(0, Verb::issue, 0, 0), event_on(0, Verb::init, 0, 0)));
  // Where no bytes are missing, the arrival ends the phase, and what comes next counts in another.
  const Event last = event_on(0, Verb::arrive, 1, 0, 0);
  CHECK(order_matters(last, last));
  CHECK(order_matters(last, event_on(0, Verb::land, 0, 16, 0)));
  CHECK(order_matters(last, event_on(0, Verb::expect, 0, 16, 0)));
  CHECK(order_matters(last, event_on(0, Verb::expect, 1, 0, 0)));
  const Event announced = event_on(0, Verb::arrive, 1, 16, 0);  // the bytes may come before it
  CHECK_FALSE(order_matters(announced, event_on(0, Verb::land, 0, 16, 0)));
  Event later = arrive;
  later.before.phase = 2;
  CHECK(order_matters(arrive, later));
}

TEST_CASE("waits commute with each other and with what ends no phase") {
  using Verb = Step::Verb;
  const Event wait = event_on(0, Verb::wait, 0, 0);
  Event arrive = event_on(0, Verb::arrive, 1, 0);
  const auto order_matters = [](const Event& a, const Event& b) {
    return dependent(a, b, a.before);
  };
  CHECK_FALSE(order_matters(wait, wait));
  CHECK_FALSE(order_matters(wait, arrive));
  CHECK_FALSE(order_matters(arrive, wait));
  arrive.ends_phase = true;
  CHECK(order_matters(wait, arrive));
  CHECK(order_matters(arrive, wait));
  arrive.ends_phase = false;
  arrive.before.phase = 0;  // all arrivals of the phase that ended let the wait through
  CHECK(order_matters(arrive, wait));
  CHECK(passes(0, 1));
  CHECK_FALSE(passes(1, 1));
}

TEST_CASE("arrivals on a named barrier commute within its generation") {
  using Verb = Step::Verb;
  const Event one = event_on(0, Verb::named, 64, 0);
  Event other = one;
  CHECK_FALSE(dependent(one, other, one.before));
  other.step.amount = 96;
  CHECK(dependent(one, other, one.before));
  other = one;
  other.before.phase = 2;
  CHECK(dependent(one, other, one.before));
  CHECK_FALSE(dependent(one, event_on(0, Verb::arrive, 1, 0), one.before));
}
