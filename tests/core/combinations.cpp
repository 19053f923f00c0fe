// SPDX-License-Identifier: Apache-2.0
// Tests of the table of combinations: path x team x completion x edge x layout x architecture,
// written by hand from the design, against what the core refuses and chooses.
#include <set>
#include <tilepipe/core/completion.hpp>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;

constexpr int archs[] = {70, 75, 80, 86, 87, 89, 90, 100, 120};
constexpr TeamKind teams[] = {TeamKind::thread, TeamKind::warp, TeamKind::group, TeamKind::block,
                              TeamKind::specialized};
constexpr Completion completions[] = {Completion::groups, Completion::mbarrier,
                                      Completion::named_barrier, Completion::foreign};
constexpr Path paths[] = {Path::registers, Path::cp_async, Path::bulk, Path::tensor,
                          Path::libcudacxx};

// ---- path x edge x layout x architecture ----

// y: from architecture `from` on; n: never. Columns: edges exact, zero, skip; in each the layouts
// plain, padded, swizzled. Alignment of 16 bytes.
struct PathRow {
  Path path;
  int from;
  const char* allowed;
};
constexpr PathRow path_table[] = {
    //                              exact zero  skip
    {Path::registers, 0,
     "yyy"
     "yyy"
     "yyy"},
    {Path::cp_async, 80,
     "yyy"
     "yyy"
     "yyy"},
    {Path::bulk, 90,
     "yyn"
     "nnn"
     "yyn"},
    {Path::tensor, 90,  // of a mapped source
     "yny"
     "yny"
     "nnn"},
    {Path::libcudacxx, 0,
     "yyn"
     "nnn"
     "nnn"},
};
// The bytes of alignment that a path needs; 0: it also finds out at run time.
bool alignment_allowed(Path p, int width, bool any) {
  if (p == Path::cp_async) return any || width >= 4;
  if (p == Path::bulk || p == Path::tensor) return !any && width >= 16;
  if (p == Path::libcudacxx) return !any;
  return true;
}

// ---- path x team x completion ----

// y: yes; 8: from 8.0; 9: from 9.0; n: never. Columns: groups, mbarrier, named barriers, foreign.
struct TeamRow {
  TeamKind team;
  const char* registers;
  const char* cp_async;
  const char* bulk;
  const char* tensor;
  const char* libcudacxx;
  const char* of(Path p) const {
    return p == Path::registers  ? registers
           : p == Path::cp_async ? cp_async
           : p == Path::bulk     ? bulk
           : p == Path::tensor   ? tensor
                                 : libcudacxx;
  }
};
constexpr TeamRow team_table[] = {
    //                      registers cp_async bulk    tensor  libcudacxx
    {TeamKind::thread, "ynnn", "ynnn", "nnnn", "nnnn", "nnny"},
    {TeamKind::warp, "y8nn", "y8nn", "n8nn", "n8nn", "nnny"},
    {TeamKind::group, "y8nn", "y8nn", "n8nn", "n8nn", "nnny"},
    {TeamKind::block, "y8nn", "y8nn", "n8nn", "n8nn", "nnny"},
    {TeamKind::specialized, "n8yn", "n8nn", "n8nn", "n8nn", "nnny"},
};
bool allowed(char mark, int arch) { return mark == 'y' || (mark == '8' && arch >= 80); }

PathSet subset(int bits) {
  PathSet set;
  for (int i = 0; i < 5; ++i)
    if ((bits >> i & 1) != 0) set.add(paths[i]);
  return set;
}

constexpr long long number(TeamKind t) { return static_cast<long long>(t); }
constexpr long long number(Completion c) { return static_cast<long long>(c); }

}  // namespace

TEST_CASE("refuse_path agrees with the table when path, edge, layout, source and alignment sweep") {
  Tally tally;
  std::set<PathRefusal> seen;
  for (const PathRow& row : path_table)
    for (const int arch : archs)
      for (int edge = 0; edge < 3; ++edge)
        for (int layout = 0; layout < 3; ++layout)
          for (const SourceKind source :
               {SourceKind::dense, SourceKind::gathered, SourceKind::mapped})
            for (const int width : {1, 2, 4, 8, 16})
              for (const bool any : {false, true})
                for (const bool packed : {false, true}) {
                  LoaderConfig c;
                  c.edge = edge == 0 ? Edge::exact : edge == 1 ? Edge::zero_fill : Edge::skip;
                  c.source = source;
                  c.alignment = width;
                  c.any_alignment = any;
                  c.packed = packed;
                  const TileShape s{8, 64, 16, layout != 2, layout == 0};
                  const bool yes = arch >= row.from && row.allowed[edge * 3 + layout] == 'y' &&
                                   alignment_allowed(row.path, width, any) &&
                                   (row.path != Path::tensor || source == SourceKind::mapped);
                  const PathRefusal refusal = refuse_path(arch, row.path, s, c);
                  tally.expect((refusal == PathRefusal::none) == yes, "refuse_path",
                               {static_cast<long long>(row.path), arch, edge, layout, width, any});
                  seen.insert(refusal);
                }
  CHECK(tally.report() == "");
  CHECK(tally.checks() == 5 * 9 * 3 * 3 * 3 * 5 * 2 * 2);
  CHECK(seen.size() == 15);  // all sixteen but those of row and boxes, and none
}

TEST_CASE("refuse_pipeline agrees with the table when sets of paths, teams and completions sweep") {
  Tally tally;
  std::set<PipelineRefusal> seen;
  for (const int arch : archs)
    for (const TeamRow& team : team_table)
      for (int bits = 1; bits < 32; ++bits)
        for (int c = 0; c < 4; ++c)
          for (int stages = 1; stages <= 16; ++stages)
            for (int parts = 1; parts <= 8; ++parts) {
              const bool mixed = bits > 16;  // bit 4 is libcudacxx: with any other
              bool yes = !mixed;
              for (int p = 0; p < 5; ++p)
                if ((bits >> p & 1) != 0) yes = yes && allowed(team.of(paths[p])[c], arch);
              if (completions[c] == Completion::named_barrier)
                yes = yes && stages * (parts + 1) <= 14;
              const PipelineRefusal refusal =
                  refuse_pipeline(arch, team.team, stages, parts, subset(bits), completions[c]);
              tally.expect((refusal == PipelineRefusal::none) == yes, "refuse_pipeline",
                           {arch, number(team.team), bits, c, stages, parts});
              seen.insert(refusal);
            }
  CHECK(tally.report() == "");
  CHECK(tally.checks() == 9 * 5 * 31 * 4 * 16 * 8);
  CHECK(seen.size() == 11);  // all ten, and none
}

TEST_CASE("choose_completion agrees with the table when nothing is demanded") {
  constexpr Completion G = Completion::groups, M = Completion::mbarrier,
                       N = Completion::named_barrier, F = Completion::foreign;
  struct Row {
    TeamKind team;
    int bits;           // 1 registers, 2 cp_async, 4 bulk, 8 tensor, 16 libcudacxx
    Completion before;  // below 8.0
    Completion from;    // 8.0 and later
    Completion at_two;  // 8.0 and later with 2 stages
  };
  using T = TeamKind;
  const Row table[] = {
      {T::thread, 1, G, G, G},      {T::thread, 2, G, G, G},      {T::thread, 3, G, G, G},
      {T::thread, 16, F, F, F},     {T::warp, 1, G, G, G},        {T::warp, 2, G, G, G},
      {T::warp, 3, G, M, M},        {T::warp, 4, M, M, M},        {T::warp, 16, F, F, F},
      {T::group, 1, G, G, G},       {T::group, 2, G, G, G},       {T::group, 3, G, M, M},
      {T::group, 4, M, M, M},       {T::block, 1, G, G, G},       {T::block, 2, G, G, M},
      {T::block, 3, G, M, M},       {T::block, 4, M, M, M},       {T::block, 5, M, M, M},
      {T::block, 6, M, M, M},       {T::block, 7, M, M, M},       {T::block, 8, M, M, M},
      {T::block, 16, F, F, F},      {T::specialized, 1, N, M, M}, {T::specialized, 2, N, M, M},
      {T::specialized, 3, N, M, M}, {T::specialized, 4, M, M, M}, {T::specialized, 16, F, F, F},
  };
  Tally tally;
  for (const Row& row : table)
    for (const int arch : archs)
      for (int stages = 1; stages <= 16; ++stages) {
        const Completion expected = arch < 80 ? row.before : stages == 2 ? row.at_two : row.from;
        tally.expect(
            choose_completion(arch, row.team, stages, subset(row.bits), Completion::automatic)
                    .completion == expected,
            "chosen", {arch, number(row.team), row.bits, stages});
        for (const Completion demanded : completions)
          tally.expect(
              choose_completion(arch, row.team, stages, subset(row.bits), demanded).completion ==
                  (row.bits == 16 ? F : demanded),
              "demanded", {arch, number(row.team), row.bits, stages, number(demanded)});
      }
  CHECK(tally.report() == "");
}

TEST_CASE("choose_completion never picks what is refused when another completion is not") {
  Tally tally;
  for (const int arch : archs)
    for (const TeamKind team : teams)
      for (int bits = 1; bits < 32; ++bits)
        for (int stages = 1; stages <= 16; ++stages)
          for (int parts = 1; parts <= 8; ++parts) {
            const PathSet set = subset(bits);
            const Completion chosen =
                choose_completion(arch, team, stages, set, Completion::automatic).completion;
            bool possible = false;
            for (const Completion c : completions)
              possible = possible || refuse_pipeline(arch, team, stages, parts, set, c) ==
                                         PipelineRefusal::none;
            const PipelineRefusal refusal = refuse_pipeline(arch, team, stages, parts, set, chosen);
            tally.expect(
                chosen != Completion::automatic && (refusal == PipelineRefusal::none) == possible,
                "chosen", {arch, number(team), bits, stages, parts});
          }
  CHECK(tally.report() == "");
}

TEST_CASE("named barriers are refused when their ids pass 14, wherever they begin") {
  Tally tally;
  for (int first = 1; first <= 14; ++first)
    for (int stages = 1; stages <= 16; ++stages)
      for (int parts = 1; parts <= 8; ++parts) {
        int last = first - 1;  // counted up: one for each part, and one for the stage
        for (int s = 0; s < stages; ++s) last += parts + 1;
        const PipelineRefusal refusal = refuse_pipeline(
            75, TeamKind::specialized, stages, parts, subset(1), Completion::named_barrier, first);
        tally.expect(
            refusal == (last > 14 ? PipelineRefusal::named_barrier_ids : PipelineRefusal::none),
            "ids", {first, stages, parts});
      }
  CHECK(tally.report() == "");
}

TEST_CASE("full_arrivals counts each kind of loading thread once when paths mix") {
  for (const int threads : {1, 32, 256}) {
    const int counted[] = {0, 1, 1, 2};  // times `threads`, by registers and cp_async
    for (int bits = 0; bits < 16; ++bits) {
      CAPTURE(bits, threads);
      const int bytes = bits >= 4 ? 1 : 0;
      CHECK(full_arrivals(subset(bits), threads) == counted[bits % 4] * threads + bytes);
      PathSet storing = subset(bits);
      storing.add(Path::cp_async, true);  // stores at edges arrive for themselves
      CHECK(full_arrivals(storing, threads) == (counted[bits % 4 | 2] + 1) * threads + bytes);
    }
  }
}
