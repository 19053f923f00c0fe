// SPDX-License-Identifier: Apache-2.0
// The order in which a block's threads and copies move, and the string that names it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace tilepipe::check {

// late: threads run in order, each until it waits; a copy lands when something waits for it, the
// last issued first. early: the same from the last thread, and copies land when they are issued.
// seeded: threads change at every synchronising instruction, and copies land at any time.
class Schedule {
 public:
  enum class Landing { late, early, any };

  static Schedule late() { return Schedule(Landing::late, 0); }
  static Schedule early() { return Schedule(Landing::early, 0); }
  static Schedule seeded(std::uint64_t seed) { return Schedule(Landing::any, seed); }
  // What name() gave. Anything else is the schedule of late landings.
  static Schedule named(const std::string& name) {
    if (name == "early") return early();
    if (name.rfind("seed:", 0) == 0) return seeded(std::strtoull(name.c_str() + 5, nullptr, 10));
    return late();
  }

  Landing landing() const { return landing_; }
  bool reversed() const { return landing_ == Landing::early; }
  bool switches() const { return landing_ == Landing::any; }
  std::string name() const {
    if (landing_ == Landing::any) return "seed:" + std::to_string(seed_);
    return landing_ == Landing::late ? "late" : "early";
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

  Landing landing_;
  std::uint64_t seed_;
  std::uint64_t state_;
};

}  // namespace tilepipe::check
