// SPDX-License-Identifier: Apache-2.0
// A run in which every step that others can notice is chosen: for replays, and for searches.
#pragma once

#include <algorithm>

#include "block.hpp"

namespace tilepipe::check {

inline bool Block::may_step(std::uint32_t t, Step step) {
  Thread& thread = threads_[t];
  if (!schedule_.stops_before()) return true;
  thread.repeat = !thread.has_turn;
  if (thread.has_turn) {
    thread.has_turn = false;
    return true;
  }
  thread.next = step;
  thread.stop = true;
  return false;
}

inline BarrierCounts Block::counts_of(const Step& step) {
  BarrierCounts counts;
  if (step.verb == Step::Verb::named) {
    if (step.object < completed_.size()) counts.phase = completed_[step.object];
    return counts;
  }
  const auto found = mbarriers_.find(step.object);
  if (found == mbarriers_.end()) return counts;
  const Mbarrier& barrier = found->second.state;
  counts.phase = barrier.phase();
  counts.count = barrier.count();
  counts.pending = barrier.pending();
  counts.bytes = barrier.missing_bytes();
  return counts;
}

// A wait for a barrier that is not live returns at once, with a finding.
inline bool Block::can_step(const Step& step, const BarrierCounts& counts) {
  if (step.verb != Step::Verb::wait) return true;
  const auto found = mbarriers_.find(step.object);
  return found == mbarriers_.end() || !found->second.state.live() ||
         passes(step.amount, counts.phase);
}

inline Event Block::event_of_copy(int id) {
  const AsyncCopy& copy = copies_[id];
  Step step{Step::Verb::land, copy.barrier, 0, copy.bytes};
  if (copy.kind == AsyncCopy::Kind::arrival) step = {Step::Verb::arrive, copy.barrier, 1, 0};
  Event event{{copy.thread, copy.nth}, step, counts_of(step), false, {}};
  if (copy.issued_by >= 0) event.after.push_back(copy.issued_by);
  return event;
}

inline std::vector<Event> Block::pending_events() {
  std::vector<Event> all;
  for (std::uint32_t t = 0; t < threads_.size(); ++t)
    if (threads_[t].repeat && !threads_[t].done)
      all.push_back({{t}, threads_[t].next, counts_of(threads_[t].next), false, {}});
  for (const int id : copies_.under_way())
    if (copies_[id].counts_on_barrier()) all.push_back(event_of_copy(id));
  return all;
}

// The schedule's turn, if it is one and possible; else the first.
inline int Block::default_choice(const std::vector<Event>& choices) {
  const Schedule::Turns& turns = schedule_.turns();
  if (turn_ == turns.size() || turns[turn_].first != events_.size()) return 0;
  const Mover mover = turns[turn_++].second;
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i].mover == mover) return static_cast<int>(i);
  return 0;
}

inline void Block::take_step(Event event, const std::function<void()>& step) {
  const int index = static_cast<int>(events_.size());
  if (event.mover.is_thread()) {
    Thread& thread = threads_[event.mover.thread];
    thread.last_event = index;
    event.after.swap(thread.after);
    thread.after.clear();
  }
  if (event.step.verb == Step::Verb::named && event.step.object < arrivals_.size())
    arrivals_[event.step.object].push_back(index);
  events_.push_back(event);
  step();
  Event& taken = events_[static_cast<std::size_t>(index)];
  taken.ends_phase = counts_of(taken.step).phase != taken.before.phase;
}

inline void Block::run_ordered(const std::function<void(std::uint32_t)>& resume) {
  const auto settle = [&] {  // everyone goes on to the next step that others can notice
    for (bool moved = true; moved && !give_up_;) {
      moved = false;
      for (std::uint32_t t = 0; t < threads_.size() && !give_up_; ++t) {
        Thread& thread = threads_[t];
        if (thread.done || thread.repeat || thread.wait.kind != Wait::Kind::nothing) continue;
        thread.stop = thread.polls = false;
        resume(t);
        moved = moved || !thread.polls;
      }
    }
  };
  settle();
  std::vector<Event> choices;
  while (!give_up_) {
    choices.clear();
    for (Event& event : pending_events())
      if (can_step(event.step, event.before)) choices.push_back(std::move(event));
    if (choices.empty()) {
      if (std::none_of(threads_.begin(), threads_.end(), [](const Thread& t) { return t.polls; }))
        break;
      settle();  // until they see what they look for, or have run for too long
      continue;
    }
    const int choice =
        chooser_ != nullptr ? chooser_->choose(choices, events_) : default_choice(choices);
    if (choice < 0) return give_up();
    const Event& chosen = choices[static_cast<std::size_t>(choice)];
    if (chooser_ != nullptr && choice != 0)
      schedule_.add_turn(static_cast<std::uint32_t>(events_.size()), chosen.mover);
    if (chosen.mover.is_thread()) {
      Thread& thread = threads_[chosen.mover.thread];
      take_step(chosen, [&] {
        thread.has_turn = true;
        thread.repeat = thread.stop = false;
        resume(chosen.mover.thread);
      });
    } else {
      for (const int id : copies_.under_way())
        if (copies_[id].thread == chosen.mover.thread && copies_[id].nth == chosen.mover.copy) {
          take_step(chosen, [&] { land(id); });
          break;
        }
    }
    settle();
  }
}

}  // namespace tilepipe::check
