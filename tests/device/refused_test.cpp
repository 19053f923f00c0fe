// SPDX-License-Identifier: Apache-2.0
// The combinations that the copy tests leave out because the library refuses them: listed by hand,
// and asked of the library. What is not listed is not refused, and has a case.
#include <set>
#include <string>
#include <tilepipe/core/completion.hpp>
#include <tilepipe/core/layout.hpp>
#include <tilepipe/core/path.hpp>

#include "copy_case.hpp"
#include "support/catch.hpp"

using tilepipe::Completion;
using tilepipe::Path;
using tilepipe::TeamKind;

namespace {

struct NamedPath {
  const char* name;
  Path path;
};
constexpr NamedPath paths[] = {
    {"registers", Path::registers}, {"cp_async", Path::cp_async}, {"bulk", Path::bulk}};
struct NamedTeam {
  const char* name;
  TeamKind kind;
};
constexpr NamedTeam teams[] = {{"block", TeamKind::block},
                               {"warp", TeamKind::warp},
                               {"lanes", TeamKind::group},
                               {"thread", TeamKind::thread},
                               {"roles", TeamKind::specialized}};
struct NamedCompletion {
  const char* name;
  Completion completion;
};
constexpr NamedCompletion completions[] = {{"groups", Completion::groups},
                                           {"mbarrier", Completion::mbarrier},
                                           {"named_barrier", Completion::named_barrier}};
struct NamedEdge {
  const char* name;
  tilepipe::Edge edge;
};
constexpr NamedEdge edges[] = {{"exact", tilepipe::Edge::exact},
                               {"zero_fill", tilepipe::Edge::zero_fill},
                               {"skip", tilepipe::Edge::skip}};
constexpr int archs[] = {75, 80, 90};

// team path completion, from which architecture it is allowed on: 0 never.
struct Allowed {
  const char* combination;
  int from;
};
constexpr Allowed allowed_pipelines[] = {
    {"unified registers groups", 75},      {"unified registers mbarrier", 80},
    {"unified cp_async groups", 80},       {"unified cp_async mbarrier", 80},
    {"unified bulk mbarrier", 90},         {"thread registers groups", 75},
    {"thread cp_async groups", 80},        {"roles registers mbarrier", 80},
    {"roles registers named_barrier", 75}, {"roles cp_async mbarrier", 80},
    {"roles bulk mbarrier", 90},
};
bool allowed(const std::string& team, const std::string& path, const std::string& completion,
             int arch) {
  const std::string kind = team == "thread" || team == "roles" ? team : "unified";
  for (const Allowed& a : allowed_pipelines)
    if (a.combination == kind + " " + path + " " + completion) return arch >= a.from;
  return false;
}

}  // namespace

TEST_CASE("pipelines are refused exactly where the table by hand has no entry",
          "[device][sanitize]") {
  for (int arch : archs)
    for (const NamedTeam& team : teams)
      for (const NamedPath& path : paths)
        for (const NamedCompletion& completion : completions) {
          tilepipe::PathSet set;
          set.add(path.path);
          const bool path_exists = tilepipe::refuse_path(arch, path.path, {8, 256, 16, true, true},
                                                         {}) == tilepipe::PathRefusal::none;
          const bool taken = path_exists && tilepipe::refuse_pipeline(arch, team.kind, 2, 1, set,
                                                                      completion.completion) ==
                                                tilepipe::PipelineRefusal::none;
          INFO(arch << " " << team.name << " " << path.name << " " << completion.name);
          CHECK(taken == allowed(team.name, path.name, completion.name, arch));
        }
}

TEST_CASE("paths are refused exactly where the table by hand says so", "[device]") {
  for (int arch : archs)
    for (const NamedPath& path : paths)
      for (const NamedEdge& edge : edges)
        for (const char* layout : {"plain", "padded", "swizzled", "short"}) {
          const std::string name = layout;
          tilepipe::TileShape shape{8, 128, 16, true, true};
          if (name == "padded") shape.gapless = false;
          if (name == "swizzled") shape = {8, 128, 16, false, false};
          if (name == "short") shape.row_bytes = 6;
          tilepipe::LoaderConfig config;
          config.edge = edge.edge;
          bool expected = true;
          if (path.path == Path::cp_async) expected = arch >= 80 && name != "short";
          if (path.path == Path::bulk)
            expected = arch >= 90 && name != "short" && name != "swizzled" &&
                       edge.edge != tilepipe::Edge::zero_fill;
          INFO(arch << " " << path.name << " " << edge.name << " " << layout);
          CHECK((tilepipe::refuse_path(arch, path.path, shape, config) ==
                 tilepipe::PathRefusal::none) == expected);
        }
}

TEST_CASE("every combination that is not refused has a copy case", "[device]") {
  std::set<std::string> names;
  for (const tilepipe_test::CopyCase& c : tilepipe_test::copy_cases("teams")) names.insert(c.name);
  for (const char* team : {"block96", "block", "warp", "lanes16", "thread", "roles"})
    for (const NamedPath& path : paths)
      for (const NamedCompletion& completion : completions)
        for (const NamedEdge& edge : edges) {
          if (!allowed(team, path.name, completion.name, TILEPIPE_TEST_ARCH)) continue;
          if (path.path == Path::bulk && edge.edge == tilepipe::Edge::zero_fill) continue;
          const std::string name = std::string("teams/") + team + "-" + path.name + "-" +
                                   completion.name + "-" + edge.name;
          INFO(name);
          CHECK(names.count(name) == 1);
        }
}
