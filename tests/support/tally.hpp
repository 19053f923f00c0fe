// SPDX-License-Identifier: Apache-2.0
// Tally: counts the checks of an exhaustive test, and remembers where the first ones failed. A
// check costs a call, not an expansion of the test framework's macro: those compile slowly.
#pragma once
#include <initializer_list>
#include <string>

namespace tilepipe_test {

class Tally {
 public:
  // `at` says where: the values of the loops around the check.
  __attribute__((noinline)) void expect(bool right, const char* what,
                                        std::initializer_list<long long> at = {}) {
    ++checks_;
    if (right) return;
    if (++wrong_ > 5) return;
    report_ += std::string(report_.empty() ? "" : "; ") + what + " at";
    for (const long long value : at) report_ += " " + std::to_string(value);
  }
  long long checks() const { return checks_; }
  long long wrong() const { return wrong_; }
  // Empty if all were right and there were some: a loop that never ran is no pass.
  std::string report() const {
    if (checks_ == 0) return "nothing was checked";
    return wrong_ == 0 ? "" : std::to_string(wrong_) + " wrong: " + report_;
  }

 private:
  long long checks_ = 0;
  long long wrong_ = 0;
  std::string report_;
};

}  // namespace tilepipe_test
