// SPDX-License-Identifier: Apache-2.0
// The groups of one thread's cp.async copies, or of its bulk stores: which a wait_group covers.
#pragma once

#include <cstdint>
#include <vector>

#include "clocks.hpp"

namespace tilepipe::check {

// Copies have numbers 1, 2, ... in the order of issue.
class CopyGroups {
 public:
  Time issue() { return ++issued_; }
  Time issued() const { return issued_; }

  // cp.async.commit_group: a group may be empty.
  void commit() { last_of_group_.push_back(issued_); }

  // cp.async.wait_group n: the last copy that is complete after it. Copies of no group are not.
  Time complete_after_wait(std::uint64_t n) const {
    const std::uint64_t groups = last_of_group_.size();
    return groups > n ? last_of_group_[groups - n - 1] : 0;
  }

 private:
  Time issued_ = 0;
  std::vector<Time> last_of_group_;
};

}  // namespace tilepipe::check
