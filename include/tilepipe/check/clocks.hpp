// SPDX-License-Identifier: Apache-2.0
// Vector clocks over the agents of a block: its threads, their cp.async copies, and bulk copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilepipe::check {

using Time = std::uint32_t;
using Agent = std::uint32_t;
inline constexpr Agent nobody = ~0u;
inline constexpr Time never = ~0u;  // of a copy that has not landed

// A thread has a component for its own steps, one for how many of its cp.async copies are known to
// be complete, and one for how many of its bulk stores are known to have read their source; each
// mbarrier has one for how many of its phases are known to be complete.
struct Agents {
  std::uint32_t threads = 0;
  Agent thread(std::uint32_t t) const { return t; }
  Agent copies_of(std::uint32_t t) const { return threads + t; }
  Agent stores_of(std::uint32_t t) const { return 2 * threads + t; }
  Agent phases_of(std::uint32_t barrier) const { return 3 * threads + barrier; }
  bool is_thread(Agent a) const { return a < threads; }
  bool is_cp_async(Agent a) const { return a >= threads && a < 2 * threads; }
  bool is_store(Agent a) const { return a >= 2 * threads && a < 3 * threads; }
};

class TimeVector {
 public:
  Time operator[](Agent a) const { return a < times_.size() ? times_[a] : 0; }
  void raise(Agent a, Time to) {
    if (a >= times_.size()) times_.resize(a + 1, 0);
    if (times_[a] < to) times_[a] = to;
  }
  void join(const TimeVector& other) {
    if (times_.size() < other.times_.size()) times_.resize(other.times_.size(), 0);
    for (std::size_t i = 0; i < other.times_.size(); ++i)
      if (times_[i] < other.times_[i]) times_[i] = other.times_[i];
  }
  void clear() { times_.assign(times_.size(), 0); }

 private:
  std::vector<Time> times_;
};

// What an agent knows to have happened, and what of it a proxy fence has passed to bulk copies.
struct Clock {
  TimeVector seen;
  TimeVector fenced;

  bool knows(Agent a, Time at) const { return seen[a] >= at; }
  bool knows_fenced(Agent a, Time at) const { return fenced[a] >= at; }
  void join(const Clock& other) {
    seen.join(other.seen);
    fenced.join(other.fenced);
  }
  void fence_proxy() { fenced.join(seen); }
  void clear() {
    seen.clear();
    fenced.clear();
  }
};

}  // namespace tilepipe::check
