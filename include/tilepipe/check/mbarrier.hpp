// SPDX-License-Identifier: Apache-2.0
// The state of one mbarrier: phases, pending arrivals, transaction bytes, and who saw a phase end.
#pragma once

#include <cstdint>
#include <vector>

#include "clocks.hpp"

namespace tilepipe::check {

class Mbarrier {
 public:
  enum class Error {
    none,
    not_initialized,
    initialized_twice,
    count_out_of_range,  // 1 .. 2^20 - 1
    too_many_arrivals,   // more than are pending
    phase_not_observed,  // an arrival that no wait on the phase before is ordered before
    bytes_out_of_range,  // the transaction count left -(2^20 - 1) .. 2^20 - 1
    bytes_not_expected   // all arrivals came, and more bytes than were announced
  };
  static constexpr std::int64_t limit = (1 << 20) - 1;

  Error init(std::uint32_t count) {
    if (live_) return Error::initialized_twice;
    if (count == 0 || count > limit) return Error::count_out_of_range;
    live_ = true;
    phase_ = 0;
    count_ = pending_ = count;
    bytes_ = 0;
    gathering_.clear();
    observers_.clear();
    return Error::none;
  }
  Error invalidate() {
    if (!live_) return Error::not_initialized;
    live_ = false;
    return Error::none;
  }

  // An arrival of an agent that knows `clock`. One that comes unobserved still counts.
  Error arrive(std::uint32_t count, const Clock& clock) {
    if (!live_) return Error::not_initialized;
    if (count == 0 || count > pending_) return Error::too_many_arrivals;
    const bool observed = observed_by(clock);
    pending_ -= count;
    gathering_.join(clock);
    const Error error = end_phase();
    return error == Error::none && !observed ? Error::phase_not_observed : error;
  }
  // cp.async.mbarrier.arrive without .noinc: one more arrival is to come in this phase.
  Error expect_arrival() {
    if (!live_) return Error::not_initialized;
    ++pending_;
    return Error::none;
  }
  Error expect_bytes(std::int64_t bytes) {
    if (!live_) return Error::not_initialized;
    bytes_ += bytes;
    if (bytes_ > limit) return Error::bytes_out_of_range;
    return end_phase();
  }
  Error complete_bytes(std::int64_t bytes) {
    if (!live_) return Error::not_initialized;
    bytes_ -= bytes;
    if (bytes_ < -limit) return Error::bytes_out_of_range;
    return end_phase();
  }

  // Whether a wait for this parity returns: the phase before the current one has that parity.
  bool passed(std::uint32_t parity) const { return (phase_ & 1) != (parity & 1); }

  // A wait has returned to this thread: it now knows what arrived in the phase.
  void observe(Agent thread, Clock& clock) {
    if (phase_ == 0) return;
    clock.join(complete_);
    observers_.push_back({thread, clock.seen[thread]});
  }

  bool live() const { return live_; }
  std::uint32_t phase() const { return phase_; }
  std::uint32_t pending() const { return pending_; }
  std::uint32_t count() const { return count_; }
  std::int64_t missing_bytes() const { return bytes_; }
  std::uint32_t phases_ever() const { return phases_ever_; }
  // The component of clocks that counts this barrier's phases over all its lives.
  void set_agent(Agent agent) { agent_ = agent; }

 private:
  struct Observer {
    Agent thread;
    Time time;
  };

  bool observed_by(const Clock& clock) const {
    if (phase_ == 0) return true;
    for (auto o = observers_.rbegin(); o != observers_.rend(); ++o)
      if (clock.knows(o->thread, o->time)) return true;
    return false;
  }
  Error end_phase() {
    if (pending_ != 0) return Error::none;
    if (bytes_ < 0) return Error::bytes_not_expected;
    if (bytes_ > 0) return Error::none;
    ++phase_;
    ++phases_ever_;
    pending_ = count_;
    complete_ = gathering_;
    complete_.seen.raise(agent_, phases_ever_);
    gathering_.clear();
    observers_.clear();
    return Error::none;
  }

  bool live_ = false;
  Agent agent_ = 0;
  std::uint32_t phase_ = 0;        // of this life; the current, incomplete one
  std::uint32_t phases_ever_ = 0;  // completed, over all lives
  std::uint32_t count_ = 0;
  std::uint32_t pending_ = 0;
  std::int64_t bytes_ = 0;  // announced and not yet come
  Clock gathering_;
  Clock complete_;
  std::vector<Observer> observers_;
};

inline const char* text_of(Mbarrier::Error error) {
  constexpr const char* texts[] = {
      "no error",
      "is used before mbarrier.init or after mbarrier.inval",
      "is initialized while it is live",
      "has a count outside 1..2^20-1",
      "gets more arrivals than are pending in its phase",
      "gets an arrival that is not ordered after a wait for the phase before",
      "has a transaction count outside its range",
      "gets more bytes in a phase than were announced"};
  return texts[static_cast<int>(error)];
}

}  // namespace tilepipe::check
