// SPDX-License-Identifier: Apache-2.0
// The order in which a block's threads and copies move, and the string that names it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "steps.hpp"

namespace tilepipe::check {

// late: threads run in order, each until it waits; a copy lands when something waits for it, the
// last issued first; the lowest lane is elected. early: the same from the last thread, copies land
// when they are issued, and the highest lane is elected. seeded: threads change at every
// synchronising instruction, copies land at any time, and any lane is elected.
// ordered: at every step that others can notice, the first thread that can take its next one does,
// or else the first copy; but at the steps that are listed, the mover that is listed.
class Schedule {
 public:
  enum class Landing { late, early, any, ordered };
  using Turns = std::vector<std::pair<std::uint32_t, Mover>>;  // by rising step

  static Schedule late() { return Schedule(Landing::late, 0); }
  static Schedule early() { return Schedule(Landing::early, 0); }
  static Schedule seeded(std::uint64_t seed) { return Schedule(Landing::any, seed); }
  static Schedule ordered(Turns turns = {}) {
    Schedule schedule(Landing::ordered, 0);
    schedule.turns_ = std::move(turns);
    return schedule;
  }
  // What name() gave. Anything else is the schedule of late landings.
  static Schedule named(const std::string& name) {
    if (name == "early") return early();
    if (name.rfind("seed:", 0) == 0) return seeded(std::strtoull(name.c_str() + 5, nullptr, 10));
    if (name.rfind("order:", 0) == 0) return ordered(turns_of(name.c_str() + 6));
    return late();
  }

  Landing landing() const { return landing_; }
  bool reversed() const { return landing_ == Landing::early; }
  bool switches() const { return landing_ == Landing::any; }
  bool stops_before() const { return landing_ == Landing::ordered; }
  const Turns& turns() const { return turns_; }
  void add_turn(std::uint32_t step, Mover mover) { turns_.push_back({step, mover}); }
  std::string name() const {
    if (landing_ == Landing::ordered) {
      std::string all = "order:";
      for (const auto& [step, mover] : turns_)
        all += (all.back() == ':' ? "" : ",") + std::to_string(step) + "=" + mover.name();
      return all;
    }
    if (landing_ == Landing::any) return "seed:" + std::to_string(seed_);
    return landing_ == Landing::late ? "late" : "early";
  }
  // The lane that elections among these lanes take, always the same: the device's choice is its
  // own.
  std::uint32_t leader(std::uint32_t mask) const {
    if (landing_ == Landing::early) return 31 - static_cast<std::uint32_t>(__builtin_clz(mask));
    if (landing_ == Landing::any) {
      Schedule chance(Landing::any, seed_ ^ mask);
      const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(mask));
      for (std::uint32_t left = chance.pick(lanes); left != 0; --left) mask &= mask - 1;
    }
    return static_cast<std::uint32_t>(__builtin_ctz(mask));
  }
  // A number below n.
  std::uint32_t pick(std::uint32_t n) {
    state_ += 0x9e3779b97f4a7c15u;  // splitmix64
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) % n);
  }

 private:
  Schedule(Landing landing, std::uint64_t seed) : landing_(landing), seed_(seed), state_(seed) {}

  // "12=3,15=0.1"; ends at the first thing that is no turn.
  static Turns turns_of(const char* text) {
    Turns turns;
    for (;;) {
      char* end = nullptr;
      const auto number = [&] {
        const char* begin = text;
        const auto n = static_cast<std::uint32_t>(std::strtoul(begin, &end, 10));
        text = end;
        return std::pair<bool, std::uint32_t>(end != begin, n);
      };
      const auto step = number();
      if (!step.first || *text++ != '=') return turns;
      const auto thread = number();
      if (!thread.first) return turns;
      Mover mover{thread.second};
      if (*text == '.') {
        ++text;
        mover.copy = number().second;
      }
      turns.push_back({step.second, mover});
      if (*text++ != ',') return turns;
    }
  }

  Landing landing_;
  std::uint64_t seed_;
  std::uint64_t state_;
  Turns turns_;
};

}  // namespace tilepipe::check
