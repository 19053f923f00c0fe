// SPDX-License-Identifier: Apache-2.0
// Tests of the path choice in a pipeline: where team or completion cannot have bulk copies, and
// that what the library chooses is never refused.
#include <cstring>
#include <set>
#include <tilepipe/core/loader_traits.hpp>
#include <utility>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;

constexpr int archs[] = {70, 75, 80, 86, 87, 89, 90, 100, 120};
constexpr TeamKind teams[] = {TeamKind::thread, TeamKind::warp, TeamKind::group, TeamKind::block,
                              TeamKind::specialized};
constexpr Completion completions[] = {Completion::automatic, Completion::groups,
                                      Completion::mbarrier, Completion::named_barrier,
                                      Completion::foreign};

// f(shape, config) for edges, layouts, sources, alignments and row lengths on both sides of every
// threshold of the choice.
template <class F>
void each_loader(F&& f) {
  for (const Edge edge : {Edge::exact, Edge::zero_fill, Edge::skip})
    for (int layout = 0; layout < 4; ++layout)  // plain, padded by 16 bytes or by 4, swizzled
      for (const SourceKind source : {SourceKind::dense, SourceKind::gathered, SourceKind::mapped})
        for (const int alignment : {0, 2, 4, 16})
          for (const bool any : {false, true})
            for (const bool packed : {false, true})
              for (const int rows : {1, 8})
                for (const int row_bytes : {6, 12, 72, 2032, 2048, 4080, 4096}) {
                  LoaderConfig c;
                  c.edge = edge;
                  c.source = source;
                  c.alignment = alignment;
                  c.any_alignment = any;
                  c.packed = packed;
                  f(TileShape{rows, row_bytes, layout == 2 ? 4 : 16, layout != 3, layout == 0}, c);
                }
}
constexpr long long loaders = 3 * 4 * 3 * 4 * 2 * 2 * 2 * 7;

bool same(const Choice& a, const Choice& b) {
  return a.path == b.path && a.width == b.width && std::strcmp(a.reason, b.reason) == 0;
}

// y: no refusal; 8: from 8.0; n: never. Columns: automatic, groups, mbarrier.
struct TeamRow {
  TeamKind team;
  const char* answered;
};
constexpr TeamRow team_table[] = {{TeamKind::thread, "yyn"},
                                  {TeamKind::warp, "yy8"},
                                  {TeamKind::group, "yy8"},
                                  {TeamKind::block, "yy8"},
                                  {TeamKind::specialized, "yn8"}};

// The paths that the library chooses, with whether the loader also stores, and so each set that the
// loaders of one stage can have: bit i of a subset is the i-th.
using Ways = std::set<std::pair<Path, bool>>;
Ways ways_of(int arch, TeamKind team, Completion demanded) {
  Ways ways;
  each_loader([&](const TileShape& s, const LoaderConfig& c) {
    const Path path = choose_path(arch, s, c, team, demanded).path;
    ways.insert({path, path == Path::cp_async && (c.any_alignment || c.edge == Edge::skip)});
  });
  return ways;
}
PathSet subset(const Ways& ways, int bits) {
  PathSet set;
  int i = 0;
  for (const auto& [path, stores] : ways)
    if ((bits >> i++ & 1) != 0) set.add(path, stores);
  return set;
}

}  // namespace

TEST_CASE("choose_path gives each thread its own when team or completion have no bulk copies") {
  Tally tally;
  int replaced = 0;
  for (const int arch : archs)
    for (const TeamKind team : teams)
      for (const Completion demanded : completions)
        each_loader([&](const TileShape& s, const LoaderConfig& c) {
          const Choice alone = choose_path(arch, s, c);
          const Choice here = choose_path(arch, s, c, team, demanded);
          const bool without_bulk = team == TeamKind::thread || demanded == Completion::groups;
          const bool tensor = alone.path == Path::tensor;
          const bool bulk = (alone.path == Path::bulk || tensor) && without_bulk;
          const Choice expected{
              Path::cp_async, 16,
              team == TeamKind::thread
                  ? (tensor ? "the plain view: a thread of its own has no tensor copies"
                            : "a thread of its own has no bulk copies")
                  : (tensor ? "the plain view: groups do not take tensor copies"
                            : "groups do not take bulk copies")};
          tally.expect(same(here, bulk ? expected : alone), "chosen",
                       {arch, static_cast<long long>(team), static_cast<long long>(demanded),
                        s.rows, s.row_bytes, static_cast<long long>(c.edge)});
          tally.expect(refuse_path(arch, here.path, s, c) == PathRefusal::none, "refused",
                       {arch, static_cast<long long>(team), s.rows, s.row_bytes});
          replaced += bulk ? 1 : 0;
        });
  CHECK(tally.report() == "");
  CHECK(tally.checks() == 2 * 9 * 5 * 5 * loaders);
  CHECK(replaced > 1000);
}

TEST_CASE("choose_path answers a demanded path as demanded when team and completion sweep") {
  Tally tally;
  for (const Path path :
       {Path::registers, Path::cp_async, Path::bulk, Path::tensor, Path::libcudacxx})
    for (const int arch : {75, 80, 90})
      for (const TeamKind team : teams)
        for (const Completion demanded : completions)
          each_loader([&](const TileShape& s, LoaderConfig c) {
            c.demanded = path;
            const Choice here = choose_path(arch, s, c, team, demanded);
            tally.expect(here.path == path && same(here, choose_path(arch, s, c)), "demanded",
                         {static_cast<long long>(path), arch, static_cast<long long>(team)});
          });
  CHECK(tally.report() == "");
}

TEST_CASE("a pipeline of automatic paths is never refused when its team can have the completion") {
  constexpr Completion demands[] = {Completion::automatic, Completion::groups,
                                    Completion::mbarrier};
  Tally tally;
  for (const int arch : archs)
    for (const TeamRow& row : team_table)
      for (int d = 0; d < 3; ++d) {
        const char mark = row.answered[d];
        if (mark == 'n' || (mark == '8' && arch < 80)) continue;
        const Ways ways = ways_of(arch, row.team, demands[d]);
        const bool has_bulk = ways.count({Path::bulk, false}) != 0;
        tally.expect(has_bulk == (arch >= 90 && row.team != TeamKind::thread &&
                                  demands[d] != Completion::groups),
                     "bulk", {arch, static_cast<long long>(row.team), d});
        for (int bits = 1; bits < 1 << ways.size(); ++bits)
          for (int stages = 1; stages <= 16; ++stages)
            for (int parts = 1; parts <= 8; ++parts) {
              const PathSet set = subset(ways, bits);
              const PipelineRefusal refusal = refuse_pipeline(
                  arch, row.team, stages, parts, set,
                  choose_completion(arch, row.team, stages, set, demands[d]).completion);
              // Below 8.0 roles have 14 named barriers: the one limit, of stages and not of paths.
              const bool ids =
                  arch < 80 && row.team == TeamKind::specialized && stages * (parts + 1) > 14;
              tally.expect(
                  refusal == (ids ? PipelineRefusal::named_barrier_ids : PipelineRefusal::none),
                  "refused", {arch, static_cast<long long>(row.team), d, bits, stages, parts});
            }
      }
  CHECK(tally.report() == "");
}

TEST_CASE("path_in is the choice for the code being compiled when team and completion are given") {
  using Line = LoaderTraits<Tile<float, 1024>>;
  for (const Completion demanded : completions) {
    CAPTURE(static_cast<int>(demanded));
    CHECK(choose_path(90, Line::shape, Line::config, TeamKind::block, demanded).path ==
          (demanded == Completion::groups ? Path::cp_async : Path::bulk));
  }
  // The host's pass has no architecture, and no asynchronous copies.
  STATIC_REQUIRE(Line::path_in<TeamKind::thread, Completion::automatic> == Line::path);
  STATIC_REQUIRE(LoaderTraits<Tile<float, 1024>, Via<Path::bulk>>::path_in<TeamKind::thread,
                                                                           Completion::groups> ==
                 Path::bulk);
}
