// SPDX-License-Identifier: Apache-2.0
// How examples/support shares out the patches of a product: no slice is empty, none is idle.
#include "../../examples/support/split.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"

using support::choose_split;
using support::Costs;

namespace {

// The cost of a split, counted out: the busiest block's.
long long counted(int steps, int blocks, const support::Split& split, const Costs& costs) {
  std::vector<long long> busy(static_cast<std::size_t>(blocks));
  int next = 0;
  for (int i = 0; i < split.whole; ++i)
    busy[static_cast<std::size_t>(next++ % blocks)] += steps * costs.step + costs.patch;
  for (int i = 0; i < split.cut(); ++i)
    for (int s = 0; s < split.slices; ++s) {
      const int own = split.least + (s < split.more ? 1 : 0);
      busy[static_cast<std::size_t>(next++ % blocks)] += own * costs.step + costs.patch;
    }
  const long long parts = static_cast<long long>(split.cut()) * split.slices;
  const long long adding =
      split.cut() > 0 ? costs.adding + split.slices * costs.slice + parts * costs.part : 0;
  return *std::max_element(busy.begin(), busy.end()) + adding;
}

}  // namespace

TEST_CASE("a split has no empty slice and costs least of all when blocks, patches and steps vary") {
  const Costs costs{10, 30, 40, 3, 2};
  int cut = 0;
  for (const int blocks : {1, 2, 7, 12})
    for (int patches = 0; patches <= 3 * blocks; ++patches)
      for (int steps = 0; steps <= 40; ++steps) {
        const auto got = choose_split(patches, steps, blocks, costs, true);
        const support::Split& split = got.split;
        const int rest = split.cut();
        REQUIRE(split.patches == patches);
        REQUIRE(split.whole >= 0);
        REQUIRE(rest >= 0);
        REQUIRE((rest == 0 ? split.slices == 1 : split.slices > 1));
        REQUIRE((rest == 0 || (split.slices <= steps && rest * split.slices <= blocks)));
        REQUIRE(split.shares() == split.whole + rest * split.slices);
        REQUIRE(split.least * split.slices + split.more == steps);
        REQUIRE((rest == 0 || split.least > 0));
        if (rest > 0) REQUIRE(split.whole % blocks == 0);
        cut += rest > 0;
        if (patches > 0) REQUIRE(got.cost == counted(steps, blocks, split, costs));
        // No number of slices of the same patches is better.
        const int left = patches % blocks;
        for (int slices = 1; left > 0 && slices <= steps && slices * left <= blocks; ++slices) {
          const auto other =
              support::make_split(patches, steps, slices > 1 ? patches - left : patches, slices);
          REQUIRE(got.cost <= counted(steps, blocks, other, costs));
        }
      }
  CHECK(cut > 500);
}

TEST_CASE("a split cuts nothing when it may not, or when slices cost more than they save") {
  for (int patches = 1; patches <= 20; ++patches)
    for (int steps = 0; steps <= 30; ++steps) {
      CHECK(choose_split(patches, steps, 8, {10, 30, 75, 0, 0}, false).split.whole == patches);
      CHECK(choose_split(patches, steps, 8, {10, 30, 10 * steps, 0, 0}, true).split.whole ==
            patches);
    }
  const auto one = choose_split(1, 64, 132, {10, 30, 75, 0, 0}, true);
  CHECK(one.split.whole == 0);
  CHECK(one.split.slices == 64);
}
