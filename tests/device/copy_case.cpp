// SPDX-License-Identifier: Apache-2.0
// The list of copy cases that the kernel files fill before main.
#include "copy_case.hpp"

#include "excepted.hpp"

namespace tilepipe_test {
namespace {

std::vector<CopyCase>& all() {
  static std::vector<CopyCase> cases;
  return cases;
}

}  // namespace

std::vector<CopyCase> copy_cases(const std::string& group) {
  std::vector<CopyCase> found;
  for (const CopyCase& c : all())
    if (c.name.compare(0, group.size() + 1, group + "/") == 0 && !excepted(c.name))
      found.push_back(c);
  return found;
}
void add_copy_case(const CopyCase& added) { all().push_back(added); }

}  // namespace tilepipe_test
