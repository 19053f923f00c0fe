// SPDX-License-Identifier: Apache-2.0
// The barriers of a block: named barriers, mbarriers, and meetings of a warp.
#pragma once

#include "block.hpp"

namespace tilepipe::check {

inline void Block::named_barrier(std::uint32_t t, std::uint32_t id, std::uint32_t count, bool waits,
                                 Place place, const NamedBarrier::Reduction* reduction) {
  if (id >= named_.size()) {
    report(Kind::protocol, place, no_place,
           "barrier " + std::to_string(id) + " is not in 0..15, at " + at(place));
    give_up();
    threads_[t].stop = true;
    return;
  }
  if (!may_step(t, {Step::Verb::named, id, count})) return;
  NamedBarrier& barrier = named_[id];
  const NamedBarrier::Error error = barrier.arrive(t, count, waits, threads_[t].clock, reduction);
  if (error != NamedBarrier::Error::none) {
    report(Kind::protocol, place, no_place,
           "barrier " + std::to_string(id) + " " + text_of(error) + ", by " + thread_text(t) +
               " at " + at(place));
    give_up();
  }
  tick(t);
  if (waits)
    stop_for(t, {Wait::Kind::named_barrier, id, 0, place});
  else
    may_switch(t);
  complete_barrier(barrier);
}

inline void Block::complete_barrier(NamedBarrier& barrier) {
  if (!barrier.complete(alive_)) return;
  Clock known;
  ++report_.barriers;
  const auto id = static_cast<std::size_t>(&barrier - named_.data());
  for (const std::uint32_t waiting : barrier.release(known)) {
    Thread& thread = threads_[waiting];
    thread.clock.join(known);
    thread.wait = {};
    thread.after.insert(thread.after.end(), arrivals_[id].begin(), arrivals_[id].end());
  }
  arrivals_[id].clear();
  ++completed_[id];
}

inline void Block::report_barrier(Mbarrier::Error error, std::uint32_t address, Place place) {
  if (error == Mbarrier::Error::none) return;
  report(Kind::protocol, place, no_place,
         "the mbarrier at byte " + std::to_string(address) + " " + text_of(error) + ", at " +
             at(place));
  if (error != Mbarrier::Error::phase_not_observed) give_up();
}

// The barrier that a thread is about to use, or null after a finding.
inline Block::BarrierSlot* Block::use_barrier(std::uint32_t t, std::uint32_t address, Place place) {
  const auto found = mbarriers_.find(address);
  if (found == mbarriers_.end() || !found->second.state.live()) {
    report_barrier(Mbarrier::Error::not_initialized, address, place);
    threads_[t].stop = true;
    return nullptr;
  }
  ShadowMemory::Result result = shadow_.read(address, 8, accessor(t, place));
  if (result.race.found())
    report(Kind::race, place, result.race.other.place,
           "the use of the mbarrier at byte " + std::to_string(address) + " by " + thread_text(t) +
               " at " + at(place) + " is not ordered after " + who(result.race));
  return &found->second;
}

inline void Block::mbarrier_init(std::uint32_t t, std::uint32_t address, std::uint32_t count,
                                 Place place) {
  if (!may_step(t, {Step::Verb::init, address})) return;
  const auto found = mbarriers_.find(address);
  if (found != mbarriers_.end() && found->second.state.live())
    return report_barrier(Mbarrier::Error::initialized_twice, address, place);
  if (!shared_range(t, address, 8, place)) return;
  BarrierSlot& slot = mbarriers_[address];
  if (found == mbarriers_.end()) {
    slot.index = static_cast<std::uint32_t>(mbarriers_.size()) - 1;
    slot.state.set_agent(agents_.phases_of(slot.index));
  }
  report_access(shadow_.write(address, 8, accessor(t, place)), t, place);
  slot.init = accessor(t, place).stamp();
  slot.init_fenced = false;
  barrier_words_[address / 8] = 1;
  report_barrier(slot.state.init(count), address, place);
  may_switch(t);
}

inline void Block::mbarrier_inval(std::uint32_t t, std::uint32_t address, Place place) {
  if (!may_step(t, {Step::Verb::init, address})) return;
  BarrierSlot* slot = use_barrier(t, address, place);
  if (slot == nullptr) return;
  for (const int id : copies_.under_way())
    if (copies_[id].counts_on_barrier() && copies_[id].barrier == address)
      report(Kind::protocol, place, copies_[id].place,
             "the mbarrier at byte " + std::to_string(address) + " ends at " + at(place) +
                 " while an asynchronous arrival on it is under way, of " + at(copies_[id].place));
  report_access(shadow_.write(address, 8, accessor(t, place)), t, place);
  barrier_words_[address / 8] = 0;
  report_barrier(slot->state.invalidate(), address, place);
  may_switch(t);
}

// The phase that the arrival counts for; with `bytes`, they are announced first.
inline std::uint32_t Block::mbarrier_arrive(std::uint32_t t, std::uint32_t address,
                                            std::uint32_t count, std::int64_t bytes, Place place) {
  if (!may_step(t, {Step::Verb::arrive, address, count, bytes})) return 0;
  BarrierSlot* slot = use_barrier(t, address, place);
  if (slot == nullptr) return 0;
  const std::uint32_t phase = slot->state.phase();
  if (bytes != 0) report_barrier(slot->state.expect_bytes(bytes), address, place);
  report_barrier(slot->state.arrive(count, threads_[t].clock), address, place);
  tick(t);
  may_switch(t);
  return phase;
}

inline void Block::mbarrier_expect(std::uint32_t t, std::uint32_t address, std::int64_t bytes,
                                   Place place) {
  if (!may_step(t, {Step::Verb::expect, address, 0, bytes})) return;
  if (BarrierSlot* slot = use_barrier(t, address, place))
    report_barrier(slot->state.expect_bytes(bytes), address, place);
  may_switch(t);
}

// test_wait and try_wait alike: the thread stays until the phase is complete.
inline void Block::mbarrier_wait(std::uint32_t t, std::uint32_t address, std::uint32_t parity,
                                 Place place) {
  if (!may_step(t, {Step::Verb::wait, address, parity & 1})) {
    threads_[t].wait = {Wait::Kind::mbarrier, address, parity & 1, place};
    return;
  }
  BarrierSlot* slot = use_barrier(t, address, place);
  if (slot == nullptr) return;
  stop_for(t, {Wait::Kind::mbarrier, address, parity & 1, place});
  if (!schedule_.switches() && slot->state.passed(parity)) {
    wake(t);
    threads_[t].stop = false;
  }
}

inline WarpMeeting* Block::meet(std::uint32_t t, std::uint32_t instruction, std::uint32_t mask,
                                std::uint64_t value, const void* caller, Place place) {
  WarpMeeting* meeting =
      warps_[t / 32].join(instruction, mask, t % 32, value, caller, threads_[t].clock);
  if (meeting == nullptr) {
    report(Kind::protocol, place, no_place,
           thread_text(t) + " is not in the mask of its own instruction at " + at(place));
    give_up();
    threads_[t].stop = true;
    return nullptr;
  }
  tick(t);
  stop_for(t, {Wait::Kind::warp, mask, 0, place});
  return meeting;
}

inline void Block::close_meeting(std::uint32_t t, const WarpMeeting* meeting, bool orders) {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((meeting->mask >> lane & 1) == 0) continue;
    Thread& thread = threads_[t / 32 * 32 + lane];
    if (orders) thread.clock.join(meeting->gathering);
    thread.wait = {};
    for (std::uint32_t other = 0; other < 32; ++other)
      if ((meeting->mask >> other & 1) != 0) {
        const int event = threads_[t / 32 * 32 + other].last_event;
        if (event >= 0) thread.after.push_back(event);
      }
  }
  warps_[t / 32].close(meeting);
}

inline void Block::exit(std::uint32_t t) {
  threads_[t].done = threads_[t].stop = true;
  threads_[t].wait = {};
  --alive_;
  for (NamedBarrier& barrier : named_) complete_barrier(barrier);
}

}  // namespace tilepipe::check
