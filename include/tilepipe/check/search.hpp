// SPDX-License-Identifier: Apache-2.0
// Searches all orders of a launch's steps, leaving out those that only swap steps that commute.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "launch.hpp"

namespace tilepipe::check {

// Which orders a search leaves out. `sources`: it runs one order of each class whose members differ
// by swaps of steps that commute (source sets and sleep sets; Abdulla, Aronis, Jonsson, Sagonas,
// "Optimal dynamic partial order reduction", POPL 2014). The others are for tests of this one.
enum class Reduction { none, sleep, sources };

class Search : public StepChooser {
 public:
  explicit Search(Reduction reduction = Reduction::sources) : reduction_(reduction) {}

  // Prepares the next run; false when there is none.
  bool next() {
    was_cut_ = false;
    if (first_) {
      first_ = false;
      return true;
    }
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      for (std::size_t i = 0; i < node.choices.size(); ++i)
        if (node.wanted[i] && !node.done[i] && !node.asleep[i]) {
          node.chosen = i;
          return true;
        }
      nodes_.pop_back();
    }
    return false;
  }

  // Whether the last run ended early, since all that could come has been seen in another order.
  bool was_cut() const { return was_cut_; }

  // Whether a run had atomic accesses, whose order is not searched.
  bool has_atomics() const { return has_atomics_; }

  int choose(const std::vector<Event>& choices, const std::vector<Event>& past) override {
    const std::size_t depth = past.size();
    if (depth == nodes_.size()) {
      nodes_.push_back(new_node(choices, past));
      if (nodes_.back().chosen == choices.size()) {  // whatever comes now has been seen elsewhere
        nodes_.pop_back();
        was_cut_ = true;
        return -1;
      }
    }
    Node& node = nodes_[depth];
    node.done[node.chosen] = true;
    return static_cast<int>(node.chosen);
  }
  void end(Block& block) override {
    has_atomics_ = has_atomics_ || block.has_atomics();
    nodes_.resize(block.events().size());
    if (reduction_ == Reduction::sources) want_reversals(block);
  }

 private:
  using Bits = std::vector<std::uint64_t>;

  // A place in the current run where someone was chosen; by choice, in the order of `choices`.
  struct Node {
    std::vector<Event> choices;
    std::vector<bool> wanted, done, asleep;
    std::size_t chosen = 0;

    std::size_t find(Mover mover) const {
      std::size_t i = 0;
      while (i < choices.size() && choices[i].mover != mover) ++i;
      return i;
    }
  };

  Node new_node(const std::vector<Event>& choices, const std::vector<Event>& past) {
    const std::size_t count = choices.size();
    Node node{choices, std::vector<bool>(count, reduction_ != Reduction::sources),
              std::vector<bool>(count, false), std::vector<bool>(count, false), 0};
    if (!nodes_.empty() && reduction_ != Reduction::none) {
      const Node& parent = nodes_.back();
      for (std::size_t i = 0; i < parent.choices.size(); ++i) {
        if (i == parent.chosen || !(parent.asleep[i] || parent.done[i])) continue;
        const std::size_t here = node.find(parent.choices[i].mover);
        if (here != count) node.asleep[here] = !dependent_if_taken(past.back(), parent.choices[i]);
      }
    }
    while (node.chosen < count && node.asleep[node.chosen]) ++node.chosen;
    if (node.chosen < count) node.wanted[node.chosen] = true;
    return node;
  }
  // An event that was not taken may end a phase, if its counts say so.
  static bool dependent_if_taken(const Event& taken, Event other) {
    if (other.step.counts()) {
      BarrierCounts counts = other.before;
      counts.take(other.step);
      other.ends_phase = counts.phase != other.before.phase || counts.broken;
    }
    return dependent(taken, other, taken.before);
  }

  // For each pair of events whose order could have been the other one: someone who leads there is
  // to be chosen at the place of the first.
  void want_reversals(Block& block) {
    std::vector<Event> events = block.events();
    const std::size_t taken = events.size();
    for (Event& event : block.pending_events()) {
      event.ends_phase = event.step.counts();
      if (event.mover.is_thread()) event.after = block.came_before(event.mover.thread);
      events.push_back(std::move(event));
    }
    before_.assign(events.size(), Bits((taken + 63) / 64, 0));
    std::map<std::pair<std::uint32_t, bool>, std::vector<std::size_t>> of_objects;
    std::map<std::uint64_t, std::size_t> last_of;  // each mover's
    for (std::size_t j = 0; j < events.size(); ++j) {
      Bits& before = before_[j];
      const Step& step = events[j].step;
      for (const int i : events[j].after) precede(before, static_cast<std::size_t>(i));
      const auto mover = std::uint64_t{events[j].mover.thread} << 32 | events[j].mover.copy;
      const auto last = last_of.find(mover);
      if (last != last_of.end()) precede(before, last->second);
      std::vector<std::size_t>& others = of_objects[{step.object, step.verb == Step::Verb::named}];
      const bool waits = step.verb == Step::Verb::wait;
      for (auto i = others.rbegin(); waits && i != others.rend(); ++i)
        if (!has(before, *i) && returns_before(events[j], events[*i]))
          want_reversal(events, *i, j, taken);
      for (auto i = others.rbegin(); i != others.rend(); ++i) {
        if (has(before, *i) || !matters(events, others, *i, j)) continue;
        if (!(waits && events[*i].step.counts()) && !leads_to_end(events, others, *i, j))
          want_reversal(events, *i, j, taken);
        precede(before, *i);
      }
      if (j >= taken) continue;
      others.push_back(j);
      last_of[mover] = j;
    }
  }
  // Whether the order of i and j matters where both could come next: what came between them and
  // does not follow i has come.
  bool matters(const std::vector<Event>& events, const std::vector<std::size_t>& others,
               std::size_t i, std::size_t j) const {
    BarrierCounts state = events[i].before;
    if (events[i].step.counts() && events[j].step.counts() &&
        events[i].before.phase == events[j].before.phase)
      for (auto k = std::upper_bound(others.begin(), others.end(), i); k != others.end(); ++k)
        if (events[*k].step.counts() && !has(before_[*k], i)) state.take(events[*k].step);
    return dependent(events[i], events[j], state);
  }
  // Whether a wait would have returned before that event, although it would not have later: before
  // the end of a phase, or before the barrier's life, when waits are faults.
  static bool returns_before(const Event& wait, const Event& event) {
    return event.step.same_object(wait.step) &&
           (event.step.verb == Step::Verb::init ||
            (event.ends_phase && passes(wait.step.amount, event.before.phase)));
  }
  // Whether the phase that j ends needs an arrival that the wait i leads to.
  bool leads_to_end(const std::vector<Event>& events, const std::vector<std::size_t>& others,
                    std::size_t i, std::size_t j) const {
    if (events[i].step.verb != Step::Verb::wait) return false;
    for (auto k = std::upper_bound(others.begin(), others.end(), i); k != others.end(); ++k)
      if (events[*k].step.counts() && events[*k].before.phase == events[j].before.phase &&
          has(before_[*k], i))
        return true;
    return false;
  }
  static bool has(const Bits& bits, std::size_t i) { return (bits[i / 64] >> i % 64 & 1) != 0; }
  void precede(Bits& before, std::size_t i) const {
    before[i / 64] |= std::uint64_t{1} << i % 64;
    for (std::size_t word = 0; word <= i / 64; ++word) before[word] |= before_[i][word];
  }
  // Of the events between i and j that i does not precede, and j: those that nothing of these
  // precedes could come in i's place. One of them must be wanted there.
  void want_reversal(const std::vector<Event>& events, std::size_t i, std::size_t j,
                     std::size_t taken) {
    Node& node = nodes_[i];
    std::vector<std::size_t> without;
    std::size_t first = node.choices.size();
    const auto consider = [&](std::size_t k) {
      const bool leads = std::none_of(without.begin(), without.end(), [&](std::size_t earlier) {
        return has(before_[k], earlier);
      });
      without.push_back(k);
      if (!leads) return false;
      const std::size_t choice = node.find(events[k].mover);
      if (choice == node.choices.size()) return false;
      if (first == node.choices.size()) first = choice;
      return static_cast<bool>(node.wanted[choice]);
    };
    for (std::size_t k = i + 1; k < std::min(j, taken); ++k)
      if (!has(before_[k], i) && consider(k)) return;
    if (consider(j)) return;
    if (first != node.choices.size())
      node.wanted[first] = true;
    else
      node.wanted.assign(node.choices.size(), true);
  }

  Reduction reduction_;
  bool first_ = true;
  bool was_cut_ = false;
  bool has_atomics_ = false;
  std::vector<Node> nodes_;
  std::vector<Bits> before_;  // of each event: which events precede it
};

// Runs the block in one order after another until every order of its steps has been covered, which
// makes the report complete, or one has a finding, or `limit` runs are over. Each on the memory as
// it was; the last run's writes stay. Copies land late. The order of atomic accesses is not
// searched, and a report with some is not complete.
inline Report search(const Launch& launch, std::uint64_t limit,
                     Reduction reduction = Reduction::sources) {
  const GlobalMemory before = launch.memory;
  Search orders(reduction);
  Report all;
  while (all.clean()) {
    all.complete = !orders.next();
    if (all.complete || all.schedules == limit) break;
    launch.memory = before;
    all.add(run(launch, Schedule::ordered(), &orders));
  }
  all.complete = all.complete && !orders.has_atomics();
  return all;
}

}  // namespace tilepipe::check
