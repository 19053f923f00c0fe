// SPDX-License-Identifier: Apache-2.0
// Tests of how roles may share registers: every split of every team that a block can hold.
#include <string>
#include <tilepipe/core/register_split.hpp>

#include "support/catch.hpp"

using namespace tilepipe;

namespace {

// The same rules, word by word.
bool may_have(int loading_threads, int group_threads, int groups, RegisterSplit split) {
  const int threads = loading_threads + groups * group_threads;
  int at_launch = 0;  // all blocks' threads fit the SM
  while (at_launch + 8 <= 256 && (at_launch + 8) * threads * split.blocks_per_sm <= 65536)
    at_launch += 8;
  const int sum = loading_threads * split.loading + groups * group_threads * split.computing;
  return split.loading % 8 == 0 && split.loading >= 24 && split.loading <= at_launch &&
         split.computing % 8 == 0 && split.computing <= 256 && split.computing >= at_launch &&
         split.computing >= 24 && sum <= threads * at_launch;
}

}  // namespace

TEST_CASE("a split of registers is refused when a block does not have them") {
  long long checked = 0, wrong = 0;
  for (const int loading_threads : {128, 256})
    for (int groups = 1; groups <= 3; ++groups)
      for (int blocks = 1; blocks <= 2; ++blocks)
        for (int loading = 1; loading <= 264; ++loading)
          for (int computing = 1; computing <= 264; ++computing) {
            const RegisterSplit split{loading, computing, blocks, false};
            const bool refused = refuse_registers(true, true, loading_threads, 128, groups,
                                                  split) != RegisterRefusal::none;
            ++checked;
            wrong += refused == may_have(loading_threads, 128, groups, split);
          }
  CHECK(wrong == 0);
  CHECK(checked == 2 * 3 * 2 * 264 * 264);
}

TEST_CASE("a split of registers is refused when roles, counts or target are wrong") {
  const RegisterSplit split{40, 232, 1, false}, demanded{40, 232, 1, true};
  const auto refuse = [](bool target, bool roles, int loading, int group, RegisterSplit s) {
    return refuse_registers(target, roles, loading, group, 2, s);
  };
  CHECK(refuse(true, true, 128, 128, split) == RegisterRefusal::none);
  CHECK(refuse(false, true, 128, 128, split) == RegisterRefusal::none);
  CHECK(refuse(true, true, 128, 128, demanded) == RegisterRefusal::none);
  CHECK(refuse(false, true, 128, 128, demanded) == RegisterRefusal::target);
  CHECK(refuse(true, false, 128, 128, split) == RegisterRefusal::roles);
  CHECK(refuse(true, true, 32, 128, split) == RegisterRefusal::roles);
  CHECK(refuse(true, true, 128, 64, split) == RegisterRefusal::roles);
  CHECK(refuse(true, true, 128, 128, {44, 232, 1, false}) == RegisterRefusal::count);
  CHECK(refuse(true, true, 128, 128, {16, 232, 1, false}) == RegisterRefusal::count);
  CHECK(refuse(true, true, 128, 128, {40, 264, 1, false}) == RegisterRefusal::count);
  CHECK(refuse(true, true, 128, 128, {40, 240, 1, false}) == RegisterRefusal::sum);
  CHECK(refuse(false, false, 32, 1, {}) == RegisterRefusal::none);  // nothing is asked for
  for (const auto r : {RegisterRefusal::roles, RegisterRefusal::count, RegisterRefusal::sum,
                       RegisterRefusal::target})
    CHECK(std::string(sentence(r)).find("tilepipe::") == 0);
  CHECK(std::string(sentence(RegisterRefusal::none)).empty());
}
