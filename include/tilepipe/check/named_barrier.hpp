// SPDX-License-Identifier: Apache-2.0
// The state of one of a block's sixteen barriers: bar.sync and bar.arrive.
#pragma once

#include <cstdint>
#include <vector>

#include "clocks.hpp"

namespace tilepipe::check {

class NamedBarrier {
 public:
  enum class Error { none, other_count, arrived_twice, count_not_whole_warps };
  static constexpr std::uint32_t whole_block = 0;  // the count of a bar.sync without one

  // A thread arrives and, if it waits, stays until the barrier completes.
  Error arrive(std::uint32_t thread, std::uint32_t count, bool waits, const Clock& clock) {
    if (count % 32 != 0) return Error::count_not_whole_warps;
    if (arrived_ == 0) count_ = count;
    if (count != count_) return Error::other_count;
    if (thread >= here_.size()) here_.resize(thread + 1, false);
    if (here_[thread]) return Error::arrived_twice;
    here_[thread] = true;
    ++arrived_;
    if (waits) waiting_.push_back(thread);
    gathering_.join(clock);
    return Error::none;
  }

  // Whether all have come, where `alive` threads have not exited.
  bool complete(std::uint32_t alive) const { return arrived_ != 0 && arrived_ >= needed(alive); }
  // Starts the next generation. The waiting threads and what they now know go to the caller.
  std::vector<std::uint32_t> release(Clock& known) {
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
  std::uint32_t count_ = 0;
  std::uint32_t arrived_ = 0;
  std::vector<bool> here_;  // who has arrived
  std::vector<std::uint32_t> waiting_;
  Clock gathering_;
};

inline const char* text_of(NamedBarrier::Error error) {
  constexpr const char* texts[] = {"no error", "is used with another count of threads",
                                   "is reached twice by one thread before it completes",
                                   "has a count of threads that is no multiple of 32"};
  return texts[static_cast<int>(error)];
}

}  // namespace tilepipe::check
