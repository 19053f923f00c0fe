// SPDX-License-Identifier: Apache-2.0
// The state of one of a block's sixteen barriers: bar.sync, bar.arrive and bar.red.
#pragma once

#include <cstdint>
#include <vector>

#include "clocks.hpp"

namespace tilepipe::check {

class NamedBarrier {
 public:
  enum class Error { none, other_count, arrived_twice, count_not_whole_warps, other_verb };
  static constexpr std::uint32_t whole_block = 0;  // the count of a bar.sync without one

  // What bar.red brings, and where it wants which answer about all: written when the barrier
  // completes.
  struct Reduction {
    enum class Verb { number, all, any };
    Verb verb;
    bool brought;
    std::uint64_t* answer;
  };

  // A thread arrives and, if it waits, stays until the barrier completes.
  Error arrive(std::uint32_t thread, std::uint32_t count, bool waits, const Clock& clock,
               const Reduction* reduction = nullptr) {
    if (count % 32 != 0) return Error::count_not_whole_warps;
    if (arrived_ == 0) count_ = count;
    if (count != count_) return Error::other_count;
    if (reductions_.size() != (reduction != nullptr ? arrived_ : 0)) return Error::other_verb;
    if (thread >= here_.size()) here_.resize(thread + 1, false);
    if (here_[thread]) return Error::arrived_twice;
    here_[thread] = true;
    ++arrived_;
    if (waits) waiting_.push_back(thread);
    if (reduction != nullptr) reductions_.push_back(*reduction);
    gathering_.join(clock);
    return Error::none;
  }

  // Whether all have come, where `alive` threads have not exited.
  bool complete(std::uint32_t alive) const { return arrived_ != 0 && arrived_ >= needed(alive); }
  // Starts the next generation. The waiting threads and what they now know go to the caller.
  std::vector<std::uint32_t> release(Clock& known) {
    answer_reductions();
    known = gathering_;
    gathering_.clear();
    arrived_ = 0;
    here_.assign(here_.size(), false);
    std::vector<std::uint32_t> waiting;
    waiting.swap(waiting_);
    return waiting;
  }

  std::uint32_t arrived() const { return arrived_; }
  std::uint32_t needed(std::uint32_t alive) const { return count_ == whole_block ? alive : count_; }

 private:
  void answer_reductions() {
    std::uint64_t number = 0;
    for (const Reduction& r : reductions_) number += r.brought;
    for (const Reduction& r : reductions_)
      *r.answer = r.verb == Reduction::Verb::number ? number
                  : r.verb == Reduction::Verb::all  ? number == reductions_.size()
                                                    : number != 0;
    reductions_.clear();
  }

  std::uint32_t count_ = 0;
  std::uint32_t arrived_ = 0;
  std::vector<bool> here_;  // who has arrived
  std::vector<std::uint32_t> waiting_;
  std::vector<Reduction> reductions_;  // of all that have arrived, or none
  Clock gathering_;
};

inline const char* text_of(NamedBarrier::Error error) {
  constexpr const char* texts[] = {"no error", "is used with another count of threads",
                                   "is reached twice by one thread before it completes",
                                   "has a count of threads that is no multiple of 32",
                                   "is used for a reduction and without one at once"};
  return texts[static_cast<int>(error)];
}

}  // namespace tilepipe::check
