// SPDX-License-Identifier: Apache-2.0
// How a block runs: which thread or copy moves next, and what is said when none can.
#pragma once

#include "block.hpp"

namespace tilepipe::check {

inline bool Block::can_run(std::uint32_t t) {
  const Thread& thread = threads_[t];
  if (thread.done) return false;
  if (thread.wait.kind == Wait::Kind::nothing) return true;
  if (thread.wait.kind != Wait::Kind::mbarrier) return false;
  const Mbarrier& barrier = mbarriers_[thread.wait.object].state;
  return !barrier.live() || barrier.passed(thread.wait.value);
}

// A thread whose wait is over goes on, and knows what it waited for.
inline void Block::wake(std::uint32_t t) {
  Thread& thread = threads_[t];
  if (thread.wait.kind == Wait::Kind::mbarrier) {
    Mbarrier& barrier = mbarriers_[thread.wait.object].state;
    if (!barrier.live())
      report_barrier(Mbarrier::Error::not_initialized, thread.wait.object, thread.wait.place);
    barrier.observe(t, thread.clock);
  }
  thread.wait = {};
}

inline void Block::run(const std::function<void(std::uint32_t)>& resume) {
  if (schedule_.stops_before())
    run_ordered(resume);
  else
    run_free(resume);
  report_.peak_bytes = copies_.peak_bytes();
  report_.asynchronous_copies = copies_.all().size();
  report_.schedules = 1;
  if (give_up_) return;
  for (const int id : std::vector<int>(copies_.under_way()))  // a kernel's end writes all of them
    if (copies_[id].kind == AsyncCopy::Kind::store) land(id);
  if (alive_ != 0)
    report_deadlock();
  else
    report_abandoned();
}

inline void Block::run_free(const std::function<void(std::uint32_t)>& resume) {
  const auto count = static_cast<std::uint32_t>(threads_.size());
  const auto go = [&](std::uint32_t t) {
    wake(t);
    threads_[t].stop = threads_[t].polls = false;
    if (!give_up_) resume(t);
  };
  std::vector<std::uint32_t> ready;
  const std::uint32_t copy_odds = 2u << (2 * schedule_.pick(3));  // 2, 8 or 32
  while (!give_up_) {
    bool ran = false, moved = false;
    if (schedule_.switches()) {
      ready.clear();
      for (std::uint32_t t = 0; t < count; ++t)
        if (can_run(t)) ready.push_back(t);
      const auto under_way = static_cast<std::uint32_t>(copies_.under_way().size());
      if (under_way != 0 && (ready.empty() || schedule_.pick(copy_odds) == 0)) {
        land(copies_.under_way()[schedule_.pick(under_way)]);
        moved = true;
      } else if (!ready.empty()) {
        go(ready[schedule_.pick(static_cast<std::uint32_t>(ready.size()))]);
        moved = true;
      }
    } else {
      for (std::uint32_t i = 0; i < count && !give_up_; ++i) {
        const std::uint32_t t = schedule_.reversed() ? count - 1 - i : i;
        if (!can_run(t)) continue;
        go(t);
        ran = true;
        moved = moved || !threads_[t].polls;
      }
      if (!moved) {
        const int id = copies_.last_to_force();
        if (id >= 0) land(id);
        moved = ran || id >= 0;
      }
    }
    if (!moved) break;
  }
}

inline std::string Block::wait_text(const Wait& wait) {
  if (wait.kind == Wait::Kind::named_barrier) {
    const NamedBarrier& barrier = named_[wait.object];
    return "barrier " + std::to_string(wait.object) + " at " + at(wait.place) + " (" +
           std::to_string(barrier.arrived()) + " of " + std::to_string(barrier.needed(alive_)) +
           " threads have come)";
  }
  if (wait.kind == Wait::Kind::warp)
    return "their warp at " + at(wait.place) + " (mask " + std::to_string(wait.object) + ")";
  const Mbarrier& barrier = mbarriers_[wait.object].state;
  return "the mbarrier at byte " + std::to_string(wait.object) + " for parity " +
         std::to_string(wait.value) + " at " + at(wait.place) + " (phase " +
         std::to_string(barrier.phase()) + ", " + std::to_string(barrier.pending()) + " of " +
         std::to_string(barrier.count()) + " arrivals and " +
         std::to_string(barrier.missing_bytes()) + " bytes are missing)";
}

// Threads that wait alike are named together.
inline void Block::report_deadlock() {
  std::map<std::string, std::vector<std::uint32_t>> groups;
  Place first = no_place;
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    if (threads_[t].done) continue;
    groups[wait_text(threads_[t].wait)].push_back(t);
    if (first == no_place) first = threads_[t].wait.place;
  }
  std::string text = "nothing can move:";
  for (const auto& [wait, threads] : groups) {
    text += "\n    thread";
    text += threads.size() == 1 ? " " : "s ";
    for (std::size_t i = 0; i < threads.size();) {
      std::size_t end = i + 1;
      while (end < threads.size() && threads[end] == threads[end - 1] + 1) ++end;
      text += (i == 0 ? "" : ",") + std::to_string(threads[i]);
      if (end - i > 1) text += "-" + std::to_string(threads[end - 1]);
      i = end;
    }
    text += (threads.size() == 1 ? " waits for " : " wait for ") + wait;
  }
  report(Kind::deadlock, first, no_place, text);
}

inline void Block::report_abandoned() {
  Clock all;
  for (const Thread& thread : threads_) all.join(thread.clock);
  for (const AsyncCopy& copy : copies_.all()) {
    bool waited_for = true;
    if (copy.kind == AsyncCopy::Kind::cp_async)
      waited_for = all.knows(agents_.copies_of(copy.thread), copy.number);
    else if (copy.kind == AsyncCopy::Kind::bulk)
      waited_for =
          copy.landed && all.knows(agents_.phases_of(mbarriers_[copy.barrier].index), copy.number);
    else if (copy.kind == AsyncCopy::Kind::store)
      waited_for = all.knows(agents_.stores_of(copy.thread), copy.number);
    if (!waited_for)
      report(Kind::abandoned, copy.place, no_place,
             (copy.kind == AsyncCopy::Kind::store ? "the bulk store of " : "the copy of ") +
                 thread_text(copy.thread) + " at " + at(copy.place) + " is never waited for");
  }
}

}  // namespace tilepipe::check
