// SPDX-License-Identifier: Apache-2.0
// The schedule of Pipeline::run on the CPU: the same positions in the same ring, one thread in
// place of the team, and a guard that sees a tile overwritten, read too early, twice or not at all.
#pragma once
#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <tilepipe/core/ring.hpp>

namespace tilepipe_test {

enum class Order {
  wait_refill_compute,  // completion by groups: the barrier in the wait frees the stage to refill
  refill_wait_compute,  // completion by mbarriers, unified: a barrier, then the refill, then the
                        // wait
};
// When a copy lands: at once, or when it is waited for. A right schedule cannot tell.
enum class Landing { early, late };

struct ScheduleResult {
  long long filled = 0;
  long long computed = 0;
  int most_in_flight = 0;  // tiles issued and not computed, when a compute begins
  std::string error;       // the first; empty if there was none
};

// load(Stage&, t) fills a stage and compute(const Stage&, t) reads it, as for Pipeline::run.
template <class Stage, int Stages, class Load, class Compute>
class Schedule {
  using Position = tilepipe::RingPosition<Stages>;
  enum class State { free, filling, full, held, released };

 public:
  Schedule(long long tiles, Landing landing, Load load, Compute compute)
      : tiles_(tiles), landing_(landing), load_(load), compute_(compute) {}

  // A unified team: every thread loads and computes.
  ScheduleResult run(Order order) {
    constexpr long long ahead = Stages - 1;
    const bool wait_first = order == Order::wait_refill_compute && ahead > 0;
    for (long long t = 0; t < ahead; ++t) issue(t);
    for (long long t = 0; t < tiles_; ++t) {
      if (wait_first) wait(t);
      barrier();
      issue(t + ahead);
      if (!wait_first) wait(t);
      compute(t);
    }
    for (const Copy& copy : in_flight_)
      if (copy.tile >= 0) fail("is still in flight at the end", copy.tile);
    return result_;
  }

  // Roles: a producer and a consumer that meet on full and empty barriers alone. The seed says who
  // runs next where both could.
  ScheduleResult run_roles(unsigned seed) {
    long long produced = 0;
    long long consumed = 0;
    while (consumed < tiles_ && result_.error.empty()) {
      const bool can_produce =
          produced < tiles_ && passed(empty_[write_.stage], write_.parity ^ 1u);
      const bool can_consume = produced > consumed && landed(read_);
      if (!can_produce && !can_consume) {
        fail("is waited for by both roles", consumed);
        break;
      }
      seed = seed * 1664525u + 1013904223u;
      if (can_produce && (!can_consume || (seed >> 16) % 2 == 0)) {
        barrier();  // the empty barrier: what is released is free
        issue(produced++);
      } else {
        wait(consumed);
        ++empty_[read_before_.stage];
        compute(consumed++);
      }
    }
    return result_;
  }

 private:
  struct Copy {
    int stage;
    long long tile;  // -1: an empty commit beyond the last tile
    std::unique_ptr<Stage> bytes;
  };

  void fail(const char* what, long long tile) {
    if (result_.error.empty()) result_.error = "tile " + std::to_string(tile) + " " + what;
  }

  // An mbarrier has completed the phase of that parity if it is in the one after.
  static bool passed(long long phases, unsigned parity) {
    return static_cast<unsigned>(phases % 2) != parity;
  }
  // Bytes land at last when somebody waits for them.
  bool landed(Position at) {
    if (!passed(full_[at.stage], at.parity)) land(static_cast<int>(in_flight_.size()) - 1);
    return passed(full_[at.stage], at.parity);
  }

  void issue(long long t) {
    if (t >= tiles_) {
      in_flight_.push_back({write_.stage, -1, nullptr});
    } else {
      if (state_[write_.stage] != State::free) fail("overwrites a stage that is not free", t);
      state_[write_.stage] = State::filling;
      Copy copy{write_.stage, t, std::make_unique<Stage>()};
      load_(*copy.bytes, t);
      ++result_.filled;
      in_flight_.push_back(std::move(copy));
      if (landing_ == Landing::early) arrive(in_flight_.back());
    }
    ++issued_;
    write_.next_stage();
  }
  void arrive(Copy& copy) {
    if (copy.bytes == nullptr) return;
    std::memcpy(static_cast<void*>(&ring_->stage[copy.stage]), copy.bytes.get(), sizeof(Stage));
    copy.bytes = nullptr;
    state_[copy.stage] = State::full;
    tile_[copy.stage] = copy.tile;
    ++full_[copy.stage];
  }
  // Until at most `pending` commits have not completed; the oldest complete first.
  void land(int pending) {
    for (; static_cast<int>(in_flight_.size()) > pending; in_flight_.pop_front())
      arrive(in_flight_.front());
  }
  void wait(long long t) {
    result_.most_in_flight =
        std::max(result_.most_in_flight, static_cast<int>(std::min(issued_, tiles_) - t));
    land(static_cast<int>(issued_ - t) - 1);
    if (state_[read_.stage] != State::full) fail("is waited for and not there", t);
    if (tile_[read_.stage] != t) fail("is not the one in the stage", t);
    state_[read_.stage] = State::held;
    read_before_ = read_;
    read_.next_stage();
  }
  void compute(long long t) {
    compute_(static_cast<const Stage&>(ring_->stage[read_before_.stage]), t);
    ++result_.computed;
    if (state_[read_before_.stage] != State::held || tile_[read_before_.stage] != t)
      fail("was overwritten while held", t);
    state_[read_before_.stage] = State::released;
  }
  // After a barrier no thread reads a released stage any more; poison shows who does.
  void barrier() {
    for (int s = 0; s < Stages; ++s)
      if (state_[s] == State::released) {
        std::memset(static_cast<void*>(&ring_->stage[s]), 0xA5, sizeof(Stage));
        state_[s] = State::free;
      }
  }

  long long tiles_;
  Landing landing_;
  Load load_;
  Compute compute_;
  std::unique_ptr<tilepipe::Ring<Stage, Stages>> ring_ =
      std::make_unique<tilepipe::Ring<Stage, Stages>>();
  State state_[Stages] = {};
  long long tile_[Stages] = {};
  long long full_[Stages] = {};
  long long empty_[Stages] = {};
  std::deque<Copy> in_flight_;
  long long issued_ = 0;
  Position write_;
  Position read_;
  Position read_before_;
  ScheduleResult result_;
};

template <class Stage, int Stages, class Load, class Compute>
Schedule<Stage, Stages, Load, Compute> make_schedule(long long tiles, Landing landing, Load load,
                                                     Compute compute) {
  return {tiles, landing, load, compute};
}

}  // namespace tilepipe_test
