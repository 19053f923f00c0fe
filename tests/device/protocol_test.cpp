// SPDX-License-Identifier: Apache-2.0
// The protocol: verbs in every right order, roles, parts, slices, early stop, reuse of the storage,
// two pipelines.
#include "expect_right.hpp"
#include "support/catch.hpp"

using namespace tilepipe_test;

namespace {

void sweep(const std::string& group, int passes = 2) {
  const std::vector<CopyCase> cases = copy_cases(group);
  REQUIRE_FALSE(cases.empty());
  for (const CopyCase& c : cases) {
    for (long long tiles : tile_counts(c.stages)) expect_right(c, whole_tiles(c, tiles));
    for (int drain : {0, 1})
      for (int warp = -1; warp < (c.threads + 31) / 32; ++warp) {
        Scenario s = whole_tiles(c, 2 * c.stages + 1, passes);
        s.geometry.drain = drain;
        s.geometry.delay.warp = warp;
        expect_right(c, s);
      }
  }
}

}  // namespace

TEST_CASE("verbs are right in every order that makes sense, with any warp late", "[device]") {
  sweep("verbs");
}
TEST_CASE("verbs in roles are right with any warp late", "[device]") { sweep("roles"); }
TEST_CASE("verbs are right in warps and threads with rings of their own", "[device]") {
  sweep("small");
}
TEST_CASE("a stage's second part is waited for after the first was used", "[device]") {
  sweep("parts");
}
TEST_CASE("a tile brought in slices is whole", "[device]") { sweep("slices"); }
TEST_CASE("stages hold other data between drain and resume, and after close", "[device]") {
  sweep("reuse");
}
TEST_CASE("two pipelines in one kernel do not disturb each other", "[device]") { sweep("two", 1); }

TEST_CASE("run ends after the tile whose compute says stop", "[device]") {
  REQUIRE_FALSE(copy_cases("stop").empty());
  for (const CopyCase& c : copy_cases("stop"))
    for (int stop_after : {1, c.stages, c.stages + 1, 2 * c.stages, 1000})
      for (int drain : {0, 1})
        for (int warp = -1; warp < (c.threads + 31) / 32; ++warp) {
          Scenario s = whole_tiles(c, 2 * c.stages + 2, 3);
          s.geometry.stop_after = stop_after;
          s.geometry.drain = drain;
          s.geometry.delay.warp = warp;
          s.launches = 1;
          expect_right(c, s);
        }
}

TEST_CASE("threads leave with tiles in flight", "[device][sanitize]") {
  REQUIRE_FALSE(copy_cases("leave").empty());
  for (const CopyCase& c : copy_cases("leave"))
    for (int used = 0; used <= c.stages; ++used) {
      Scenario s = whole_tiles(c, c.stages);
      s.geometry.stop_after = used;
      expect_right(c, s);
    }
}

namespace {

// Fills every stage, uses some, leaves one more open (1: acquired, 2: filled), and drains.
void drop(const CopyCase& c, int used, int open, int late_warp) {
  Scenario s = whole_tiles(c, c.stages, 3);
  s.geometry.stop_after = used;
  s.geometry.drain = open;
  s.geometry.delay.warp = late_warp;
  s.launches = 1;
  expect_right(c, s);
}

}  // namespace

TEST_CASE("drain drops what was filled or acquired and not used, and the ring is good for more",
          "[device]") {
  REQUIRE_FALSE(copy_cases("drop").empty());
  for (const CopyCase& c : copy_cases("drop"))
    for (int used = 0; used <= c.stages; ++used)
      for (int open = 0; open <= 2; ++open)
        for (int warp = -1; warp < (c.threads + 31) / 32; ++warp) drop(c, used, open, warp);
}
TEST_CASE("small launches that drop what was filled", "[device][sanitize]") {
  for (const CopyCase& c : copy_cases("drop"))
    for (int used : {0, 1})
      for (int open : {0, 2}) drop(c, used, open, -1);
}

// If all lanes of a producer warp waited and only one arrived, a lane that lags would miss a phase
// and hang.
TEST_CASE("a lagging lane of a producer warp misses no phase in many rounds", "[device]") {
  for (const std::string group : {"roles", "stages", "verbs"})
    for (const CopyCase& c : copy_cases(group)) {
      if (group == "stages" && c.name.find("roles") == std::string::npos) continue;
      const int last_warp = (c.threads - 1) / 32;
      for (int lane : {0, 1, 31}) {
        Scenario s = whole_tiles(c, 60);
        s.grid = 1;
        s.geometry.delay = {last_warp, lane, 3, 3000};
        s.launches = 1;
        expect_right(c, s);
      }
    }
}

TEST_CASE("small launches of every protocol", "[device][sanitize]") {
  for (const std::string group :
       {"verbs", "roles", "small", "parts", "slices", "reuse", "stop", "two"})
    for (const CopyCase& c : copy_cases(group)) {
      Scenario s = whole_tiles(c, c.stages + 1, group == "two" ? 1 : 2);
      s.geometry.stop_after = group == "stop" ? c.stages : -1;
      s.grid = 1;
      s.launches = 1;
      expect_right(c, s);
    }
}
