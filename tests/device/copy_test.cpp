// SPDX-License-Identifier: Apache-2.0
// Copies through the ring: stages, teams, layouts, edges, elements, ranks, alignment.
#include "expect_right.hpp"
#include "support/catch.hpp"

using namespace tilepipe_test;

namespace {

// Whole tiles for Exact, cut ones for the rest.
Scenario fitting(const CopyCase& c, long long tiles, int passes = 1) {
  if (c.name == "options/packed") {  // rows without gaps: one tile below the other
    Scenario s = whole_tiles(c, tiles, passes);
    s.geometry.across = 1;
    s.geometry.extent[1] = (1 + s.grid * tiles * passes) * c.extent[1];
    s.geometry.extent[2] = s.geometry.row_pitch = c.extent[2];
    return s;
  }
  return c.edge == EdgeKind::exact ? whole_tiles(c, tiles, passes) : cut_tiles(c, tiles, passes);
}

// All tile counts; a second run with and without drain; each end of the block late.
void sweep_tiles(const CopyCase& c) {
  for (long long tiles : tile_counts(c.stages)) expect_right(c, fitting(c, tiles));
  for (int drain : {0, 1}) {
    Scenario s = fitting(c, c.stages + 1, 2);
    s.geometry.drain = drain;
    expect_right(c, s);
  }
  for (int warp : {0, (c.threads - 1) / 32}) {
    Scenario s = fitting(c, 2 * c.stages + 1, 2);
    s.geometry.delay.warp = warp;
    expect_right(c, s);
    s.geometry.delay.every = 2;
    expect_right(c, s);
  }
}

}  // namespace

TEST_CASE("every number of stages gives the source's bytes", "[device]") {
  REQUIRE_FALSE(copy_cases("stages").empty());
  for (const CopyCase& c : copy_cases("stages")) sweep_tiles(c);
}

TEST_CASE("every team gives the source's bytes", "[device]") {
  REQUIRE_FALSE(copy_cases("teams").empty());
  for (const CopyCase& c : copy_cases("teams")) sweep_tiles(c);
}

TEST_CASE("every layout and edge gives the source's bytes", "[device]") {
  REQUIRE_FALSE(copy_cases("layouts").empty());
  for (const CopyCase& c : copy_cases("layouts")) {
    sweep_tiles(c);
    expect_right(c, whole_tiles(c, c.stages + 2));
  }
}

TEST_CASE("mapped sources give their bytes by tensor copies or by their view", "[device]") {
  REQUIRE_FALSE(copy_cases("mapped").empty());
  for (const CopyCase& c : copy_cases("mapped")) {
    sweep_tiles(c);
    expect_right(c, whole_tiles(c, c.stages + 2));
  }
}

TEST_CASE("elements of 1 to 48 bytes arrive unchanged, padding included", "[device]") {
  REQUIRE(copy_cases("elements").size() == 24);
  for (const CopyCase& c : copy_cases("elements"))
    for (long long tiles : {1, 2, 5}) expect_right(c, fitting(c, tiles));
}

TEST_CASE("NaN payloads, infinities, -0 and denormals arrive unchanged", "[device]") {
  for (const CopyCase& c : copy_cases("elements")) {
    if (c.element_bytes % 4 != 0) continue;
    Scenario s = fitting(c, 3);
    s.special_floats = true;
    expect_right(c, s);
  }
}

TEST_CASE("a map of floating-point elements leaves their bits as they are", "[device]") {
  int floats = 0;
  for (const CopyCase& c : copy_cases("mapped")) {
    if (c.name.find("-float") == std::string::npos) continue;
    ++floats;
    Scenario s = fitting(c, 3);
    s.special_floats = true;
    expect_right(c, s);
  }
  CHECK(floats == 2);
}

TEST_CASE("blocks of one, two and three dimensions bring tiles of every rank", "[device]") {
  REQUIRE_FALSE(copy_cases("ranks").empty());
  for (const CopyCase& c : copy_cases("ranks"))
    for (Dim block :
         {Dim{96, 1, 1}, Dim{16, 4, 1}, Dim{5, 3, 2}, Dim{33, 1, 3}, Dim{1, 1, 1}, Dim{7, 1, 1}}) {
      Scenario s = fitting(c, 4);
      s.block = block;
      expect_right(c, s);
    }
}

TEST_CASE("for_each hands out every element once, whatever the layout", "[device]") {
  REQUIRE(copy_cases("for_each").size() == 5);
  for (const CopyCase& c : copy_cases("for_each")) sweep_tiles(c);
}

TEST_CASE("any offset and length is right when nothing is promised", "[device]") {
  for (const CopyCase& c : copy_cases("alignment")) {
    const bool any = c.name.find("/any-") != std::string::npos;
    const int step = any ? c.element_align : c.promise;
    for (int offset = 0; offset < 16; offset += step) {
      Scenario s = fitting(c, 5);
      s.source_offset = offset;
      s.output_offset = 15 - offset;
      s.launches = 1;
      expect_right(c, s);
    }
    if (c.rank != 1 || c.edge == EdgeKind::exact) continue;
    const long long tile = c.extent[2];
    std::vector<long long> lengths;
    for (long long n = 0; n <= 67; ++n) lengths.push_back(n);
    for (long long n : {2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile - 1, 3 * tile, 3 * tile + 1})
      lengths.push_back(n);
    for (long long length : lengths) {
      Scenario s = whole_tiles(c, 2);
      s.geometry.extent[2] = length;
      s.geometry.first[2] = any ? -(length % 5) : 0;
      s.source_offset = static_cast<int>(length * step % 16);
      s.launches = 1;
      expect_right(c, s);
    }
  }
}

TEST_CASE("cache operators and hints, prefetch sizes and packed rows change no bytes", "[device]") {
  REQUIRE_FALSE(copy_cases("options").empty());
  for (const CopyCase& c : copy_cases("options")) sweep_tiles(c);
}

TEST_CASE("extents below a tile and empty sources read nothing outside", "[device]") {
  for (const std::string group : {"teams", "layouts", "ranks"})
    for (const CopyCase& c : copy_cases(group)) {
      if (c.edge == EdgeKind::exact) continue;
      for (int empty = 3 - c.rank; empty < 3; ++empty) {
        Scenario s = whole_tiles(c, 2);
        for (int i = 3 - c.rank; i < 3; ++i) s.geometry.extent[i] = c.extent[i] / 2;
        s.launches = 1;
        expect_right(c, s);
        s.geometry.extent[empty] = 0;
        expect_right(c, s);
      }
      Scenario far = whole_tiles(c, 3);  // every tile ends before the source begins
      far.geometry.first[2] = -100ll * c.extent[2];
      far.launches = 1;
      expect_right(c, far);
    }
}

TEST_CASE("kernels with different rings in static shared memory live in one file", "[device]") {
  REQUIRE(copy_cases("static").size() == 2);
  for (const CopyCase& c : copy_cases("static")) sweep_tiles(c);
}

TEST_CASE("every pair of settings gives the source's bytes", "[device]") {
  REQUIRE_FALSE(copy_cases("pairs").empty());
  for (const CopyCase& c : copy_cases("pairs")) sweep_tiles(c);
}

TEST_CASE("libcu++ behind the verbs gives the source's bytes", "[device]") {
  REQUIRE(copy_cases("libcudacxx").size() >= 28);
  for (const CopyCase& c : copy_cases("libcudacxx")) sweep_tiles(c);
}

// Every path, completion, team and edge once, small: what the sanitizers watch.
TEST_CASE("small launches of every path, completion, team and edge", "[device][sanitize]") {
  for (const std::string group : {"teams", "layouts", "pairs", "libcudacxx"})
    for (const CopyCase& c : copy_cases(group)) {
      Scenario s = fitting(c, c.stages + 1, 2);
      s.grid = 1;
      s.launches = 1;
      expect_right(c, s);
    }
}
