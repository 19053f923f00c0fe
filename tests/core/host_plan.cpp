// SPDX-License-Identifier: Apache-2.0
// Tests of the path report: whole texts, and what it says of the register path.
#include <string>
#include <tilepipe/host/plan.hpp>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using host::LoaderPlan;
using host::PipelinePlan;

using TileA = SwizzledTile<short, 128, 32>;
using TileB = Tile<short, 64, 64>;
struct Stage {
  TileA a;
  TileB b;
};
template <TeamKind Kind, int Threads, int FirstBarrier = 1>
struct Team {
  static constexpr int first_barrier = FirstBarrier;
  static constexpr int group_barriers = 1;
  static constexpr TeamKind kind = Kind;
  static constexpr int loading_threads = Threads;
};

PipelinePlan gemm() {
  return host::plan_pipeline<Ring<Stage, 6>, Team<TeamKind::block, 256>,
                             LoaderTraits<TileA, ZeroFill>, LoaderTraits<TileB, Packed>>(256, "A",
                                                                                         "B");
}
bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The longest that one thread has to carry, by handing out chunks one by one.
host::RegisterTravel hand_out(int bytes, int width, int threads) {
  int first = 0;
  for (int chunk = 0; chunk * width < bytes; ++chunk) first += chunk % threads == 0 ? 1 : 0;
  int kept = 0;
  while (kept < first && (kept + 1) * width <= 128 && kept < 32) ++kept;
  return {kept * width, (first - kept) * width};
}

}  // namespace

TEST_CASE("report says path, width, reason, completion and what fits when a GEMM is planned") {
  CHECK(
      host::report(75, gemm()) ==
      "  sm_75:\n"
      "    A: registers, 16 B: cp.async needs compute capability 8.0\n"
      "      one tile in flight whatever Stages is: 32 B of each thread in registers\n"
      "    B: registers, 16 B: cp.async needs compute capability 8.0\n"
      "      one tile in flight whatever Stages is: 32 B of each thread in registers\n"
      "    completion: groups: mbarriers need compute capability 8.0\n"
      "    ring: 98816 B, 6 stages; does not fit: a block has at most 65536 B\n"
      "    stages that fit: 3 with 1 block an SM, 1 with 2 blocks an SM, 0 with 4 blocks an SM\n");
  CHECK(
      host::report(90, gemm()) ==
      "  sm_90:\n"
      "    A: cp.async, 16 B: bulk copies have no bounds handling\n"
      "    B: cp.async.bulk, 8192 B: one run of bytes, 16-byte aligned, exact\n"
      "    completion: mbarrier: bulk copies count their bytes on an mbarrier\n"
      "    ring: 98816 B, 6 stages; 2 blocks fit an SM, in dynamic shared memory\n"
      "    stages that fit: 14 with 1 block an SM, 7 with 2 blocks an SM, 3 with 4 blocks an SM\n");
}

TEST_CASE("report says tensor copies, or why the plain view, when a loader is mapped") {
  const PipelinePlan plan =
      host::plan_pipeline<Ring<Stage, 2>, Team<TeamKind::block, 256>,
                          LoaderTraits<TileA, Mapped, ZeroFill>, LoaderTraits<TileB, Mapped, Skip>>(
          256, "A", "B");
  CHECK(has(host::report(90, plan),
            "    A: cp.async.bulk.tensor, 8192 B: a tensor map, box by box\n"
            "    B: cp.async, 16 B: the plain view: tensor copies write zeros outside the source\n"
            "    completion: mbarrier: tensor copies count their bytes on an mbarrier\n"));
  CHECK(has(host::report(80, plan),
            "    A: cp.async, 16 B: the plain view: tensor copies need compute capability 9.0\n"));
}

TEST_CASE("report holds one section for each architecture when several are asked") {
  std::string all;
  for (const int arch : {75, 80, 90, 120}) all += host::report(arch, gemm());
  CHECK(host::report(gemm()) == all);
  CHECK(host::report(gemm(), {}).empty());
}

TEST_CASE("report tells bytes in registers and bytes copied at once when a thread has many") {
  PipelinePlan plan;
  plan.loaders = {host::plan_of<LoaderTraits<Tile<float, 16384>>>("x")};
  plan.loading_threads = 256;
  plan.stage_bytes = 65536;
  CHECK(has(host::report(75, plan), "128 B of each thread in registers, 128 B copied at once\n"));
  plan.loaders = {host::plan_of<LoaderTraits<Tile<float, 16384>, AnyAlignment>>("x")};
  CHECK(has(host::report(75, plan),
            "x: registers, 1 to 16 B: any alignment without cp.async: copied at once\n"));
  CHECK(has(host::report(75, plan), "no tile is in flight"));
  CHECK(has(host::report(80, plan), "x: cp.async, 1 to 16 B: "));
}

TEST_CASE("register_travel agrees with handing out chunks when bytes, widths and threads sweep") {
  tilepipe_test::Tally tally;
  for (const int width : {1, 2, 4, 8, 16})
    for (int chunks = 1; chunks <= 200; ++chunks)
      for (const int threads : {1, 3, 8, 32}) {
        const LoaderPlan loader{"x", {1, chunks * width, width, true, true}, {}};
        const int widest = promised_alignment(loader.shape, loader.config);
        const host::RegisterTravel travel = host::register_travel(loader, threads);
        const host::RegisterTravel expected = hand_out(chunks * width, widest, threads);
        tally.expect(travel.in_flight == expected.in_flight && travel.at_once == expected.at_once,
                     "travel", {width, chunks, threads});
      }
  CHECK(tally.report() == "");
}

TEST_CASE("report says the sentence of the refusal when a demand cannot be met") {
  PipelinePlan plan = gemm();
  plan.loaders = {host::plan_of<LoaderTraits<TileB, Via<Path::bulk>>>("B")};
  CHECK(has(host::report(80, plan),
            std::string("B: refused: ") + sentence(PathRefusal::bulk_needs_sm90)));
  plan = gemm();
  plan.loaders = {host::plan_of<LoaderTraits<TileB, Packed, Via<Path::bulk>>>("B")};
  plan.demanded = Completion::groups;
  CHECK(has(host::report(90, plan),
            std::string("    refused: ") + sentence(PipelineRefusal::groups_bulk)));
}

TEST_CASE("report gives cp.async and why when team or completion have no bulk copies") {
  PipelinePlan plan = gemm();
  plan.demanded = Completion::groups;
  CHECK(has(host::report(90, plan), "    B: cp.async, 16 B: groups do not take bulk copies\n"));
  CHECK(has(host::report(90, plan), "completion: groups: demanded by the kernel\n"));
  CHECK(has(host::report(80, plan),
            "    B: cp.async, 16 B: bulk copies need compute capability 9.0\n"));
  plan.demanded = Completion::automatic;
  plan.team = TeamKind::thread;
  CHECK(has(host::report(90, plan),
            "    B: cp.async, 16 B: a thread of its own has no bulk copies\n"));
  CHECK(has(host::report(90, plan), "completion: groups: a thread waits for its own copies\n"));
}

TEST_CASE("report counts named barriers from the team's first when roles run below 8.0") {
  using Three = Ring<Stage, 3>;  // 6 barriers
  using Roles = Team<TeamKind::specialized, 32, 9>;
  using Late = Team<TeamKind::specialized, 32, 10>;
  const std::string refused =
      std::string("    refused: ") + sentence(PipelineRefusal::named_barrier_ids) + "\n";
  const PipelinePlan fits = host::plan_pipeline<Three, Roles, LoaderTraits<TileA>>(288, "A");
  const PipelinePlan past = host::plan_pipeline<Three, Late, LoaderTraits<TileA>>(288, "A");
  CHECK_FALSE(has(host::report(75, fits), refused));
  CHECK(has(host::report(75, past), refused));
  CHECK_FALSE(has(host::report(80, past), refused));
}

TEST_CASE("report gives the reason of the completion that is chosen when teams and paths differ") {
  using Plain = LoaderTraits<Tile<short, 4096>, ZeroFill>;  // cp.async from 8.0
  using Odd = LoaderTraits<Tile<short, 4095>, ZeroFill>;    // registers
  struct Row {
    int arch;
    TeamKind team;
    int stages;
    bool odd, plain;
    const char* expected;
  };
  const Row rows[] = {
      {80, TeamKind::block, 3, false, true,
       "groups: Stages - 1 tiles in flight, one barrier a tile"},
      {80, TeamKind::block, 2, false, true,
       "mbarrier: with 2 stages both stay in flight (measured)"},
      {80, TeamKind::block, 2, true, true, "mbarrier: the stage's loaders differ in their path"},
      {80, TeamKind::block, 2, true, false, "groups: stores before the team's barrier"},
      {80, TeamKind::thread, 2, false, true, "groups: a thread waits for its own copies"},
      {80, TeamKind::specialized, 2, false, true, "mbarrier: roles hand stages over on mbarriers"},
      {75, TeamKind::specialized, 2, false, true,
       "named barriers: roles without mbarriers, which need 8.0"},
      {75, TeamKind::block, 2, true, true, "groups: mbarriers need compute capability 8.0"},
  };
  for (const Row& row : rows) {
    PipelinePlan plan;
    plan.team = row.team;
    plan.stages = row.stages;
    plan.stage_bytes = 8192;
    if (row.odd) plan.loaders.push_back(host::plan_of<Odd>("odd"));
    if (row.plain) plan.loaders.push_back(host::plan_of<Plain>("plain"));
    CAPTURE(row.arch, row.expected);
    CHECK(has(host::report(row.arch, plan), std::string("    completion: ") + row.expected + "\n"));
  }
}

TEST_CASE("plan_pipeline takes sizes from the ring and threads from the team") {
  const PipelinePlan plan = gemm();
  CHECK(plan.stages == 6);
  CHECK(plan.parts == 1);
  CHECK(plan.stage_bytes == sizeof(Stage));
  CHECK(plan.stage_alignment == 512);
  CHECK(plan.loading_threads == 256);
  const PipelinePlan roles =
      host::plan_pipeline<Ring<Stage, 2, 2>, Team<TeamKind::specialized, 32>, LoaderTraits<TileA>>(
          288, "A");
  CHECK(roles.block_threads == 288);
  CHECK(roles.loading_threads == 32);
  CHECK(roles.parts == 2);
  CHECK(host::plan_pipeline<Ring<Stage, 2>, Team<TeamKind::block, 0>, LoaderTraits<TileA>>(64, "A")
            .loading_threads == 64);
}
