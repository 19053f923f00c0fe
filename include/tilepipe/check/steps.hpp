// SPDX-License-Identifier: Apache-2.0
// The steps of a block whose order others can notice, and which of them may be swapped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilepipe::check {

// Who takes a step: a thread, or the n-th asynchronous copy that the thread has issued.
struct Mover {
  static constexpr std::uint32_t itself = ~0u;
  std::uint32_t thread = 0;
  std::uint32_t copy = itself;

  bool is_thread() const { return copy == itself; }
  bool operator==(const Mover& o) const { return thread == o.thread && copy == o.copy; }
  bool operator!=(const Mover& o) const { return !(*this == o); }
  // "3" for a thread, "3.7" for a copy of it.
  std::string name() const {
    return is_thread() ? std::to_string(thread)
                       : std::to_string(thread) + "." + std::to_string(copy);
  }
};

// A step on one object: an mbarrier by its address, a named barrier by its number.
struct Step {
  enum class Verb {
    init,    // and inval: the barrier's life begins or ends
    issue,   // a copy that will count on the barrier
    arrive,  // `amount` arrivals, of which the first announces `bytes`
    expect,  // announces `bytes`, or with an amount as many more arrivals
    land,    // `bytes` have come
    wait,    // for the parity `amount`
    named    // an arrival on a named barrier for `amount` threads
  };
  Verb verb = Verb::init;
  std::uint32_t object = 0;
  std::int64_t amount = 0;
  std::int64_t bytes = 0;

  bool counts() const { return verb == Verb::arrive || verb == Verb::expect || verb == Verb::land; }
  bool same_object(const Step& o) const {
    return object == o.object && (verb == Verb::named) == (o.verb == Verb::named);
  }
};

// What of a barrier decides whether steps commute. Of a named barrier only the phase: how many
// times it has completed.
struct BarrierCounts {
  std::uint32_t phase = 0;
  std::int64_t count = 0;  // arrivals of a whole phase
  std::int64_t pending = 0;
  std::int64_t bytes = 0;
  bool broken = false;  // against the rules: more arrivals or bytes than there may be

  bool operator==(const BarrierCounts& o) const {
    return phase == o.phase && pending == o.pending && bytes == o.bytes && broken == o.broken;
  }
  // Takes a counting step; returns the phase in which it counts.
  std::uint32_t take(const Step& step) {
    const std::uint32_t in = phase;
    if (step.verb == Step::Verb::arrive) {
      bytes += step.bytes;
      pending -= step.amount;
    } else if (step.verb == Step::Verb::expect) {
      bytes += step.bytes;
      pending += step.amount;
    } else {
      bytes -= step.bytes;
    }
    broken = broken || pending < 0 || (pending == 0 && bytes < 0);
    if (pending == 0 && bytes == 0 && !broken) {
      ++phase;
      pending = count;
    }
    return in;
  }
};

// A wait for this parity returns in this phase.
inline bool passes(std::int64_t parity, std::uint32_t phase) { return (phase & 1) != parity; }

// A step that was taken, or that its mover would take next, and the barrier before it.
struct Event {
  Mover mover;
  Step step;
  BarrierCounts before;
  bool ends_phase = false;
  std::vector<int> after;  // events that had to come first, besides the mover's own
};

// Whether two counting steps on one barrier lead to the same, in the same phases, in both orders.
inline bool counts_commute(const BarrierCounts& from, const Step& a, const Step& b) {
  BarrierCounts ab = from, ba = from;
  const std::uint32_t a_first = ab.take(a), b_second = ab.take(b);
  const std::uint32_t b_first = ba.take(b), a_second = ba.take(a);
  return ab == ba && a_first == a_second && b_first == b_second;
}

// Whether the order of two events matters, of which `a` came or would come first, in a state where
// both could come next; the state matters to counting steps alone. Says yes where it is not sure:
// that costs a search time, and no schedule.
inline bool dependent(const Event& a, const Event& b, const BarrierCounts& state) {
  using Verb = Step::Verb;
  if (!a.step.same_object(b.step)) return false;
  if (a.step.verb == Verb::named)
    return a.before.phase != b.before.phase || a.step.amount != b.step.amount;
  if (a.step.verb == Verb::init || b.step.verb == Verb::init) return true;
  if (a.step.verb == Verb::issue || b.step.verb == Verb::issue) return false;
  if (a.step.verb == Verb::wait) return b.step.verb != Verb::wait && b.ends_phase;
  // All that counted in the phases before let the wait through, whichever of it came last.
  if (b.step.verb == Verb::wait) return a.ends_phase || a.before.phase < b.before.phase;
  return a.before.phase != b.before.phase || !counts_commute(state, a.step, b.step);
}

}  // namespace tilepipe::check
