// SPDX-License-Identifier: Apache-2.0
// The list of special cases that the kernel files fill before main.
#include "excepted.hpp"
#include "special_kernels.hpp"

namespace tilepipe_test {
namespace {

std::vector<SpecialCase>& all() {
  static std::vector<SpecialCase> cases;
  return cases;
}

}  // namespace

std::vector<SpecialCase> special_cases(const std::string& group) {
  std::vector<SpecialCase> found;
  for (const SpecialCase& c : all())
    if (c.name.compare(0, group.size() + 1, group + "/") == 0 && !excepted(c.name))
      found.push_back(c);
  return found;
}
void add_special_case(const SpecialCase& added) { all().push_back(added); }

}  // namespace tilepipe_test
