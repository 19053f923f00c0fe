// SPDX-License-Identifier: Apache-2.0
// Tests of run's schedule on the CPU: each tile is filled once, read once, and never overwritten
// while it is held, in every order, for tile counts around the number of stages.
#include "support/schedule.hpp"

#include <tilepipe/core/tile.hpp>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using tilepipe_test::Landing;
using tilepipe_test::make_schedule;
using tilepipe_test::Order;
using tilepipe_test::ScheduleResult;
using tilepipe_test::Tally;

struct Stage {
  tilepipe::Tile<int, 8> x;
};

// Runs `tiles` tiles; load codes tile and position, compute compares.
template <int Stages, class Run>
void check_run(Tally& tally, long long tiles, Landing landing, int most_in_flight, int kind,
               const Run& run) {
  std::vector<int> filled(tiles, 0);
  std::vector<int> read(tiles, 0);
  auto schedule = make_schedule<Stage, Stages>(
      tiles, landing,
      [&](Stage& s, long long t) {
        ++filled[t];
        for (int i = 0; i < 8; ++i) s.x[i] = static_cast<int>(t * 8 + i);
      },
      [&](const Stage& s, long long t) {
        ++read[t];
        for (int i = 0; i < 8; ++i)
          tally.expect(s.x[i] == t * 8 + i, "value", {Stages, kind, tiles, t, i});
      });
  const ScheduleResult result = run(schedule);
  tally.expect(result.error.empty(), result.error.c_str(), {Stages, kind, tiles});
  tally.expect(result.filled == tiles && result.computed == tiles, "counts", {Stages, kind, tiles});
  for (long long t = 0; t < tiles; ++t)
    tally.expect(filled[t] == 1 && read[t] == 1, "once", {Stages, kind, tiles, t});
  if (most_in_flight > 0)
    tally.expect(result.most_in_flight == std::min<long long>(most_in_flight, tiles), "in flight",
                 {Stages, kind, tiles, result.most_in_flight});
}

template <int Stages>
void sweep(Tally& tally) {
  for (const Landing landing : {Landing::early, Landing::late})
    for (long long tiles = 0; tiles <= 4 * Stages + 1; ++tiles) {
      // By groups Stages - 1 tiles are in flight at a wait (one stage alone: its own tile), by
      // mbarriers all.
      check_run<Stages>(tally, tiles, landing, Stages > 1 ? Stages - 1 : 1, 0,
                        [](auto& s) { return s.run(Order::wait_refill_compute); });
      check_run<Stages>(tally, tiles, landing, Stages, 1,
                        [](auto& s) { return s.run(Order::refill_wait_compute); });
      for (unsigned seed = 0; seed < 20; ++seed)
        check_run<Stages>(tally, tiles, landing, 0, 2,
                          [&](auto& s) { return s.run_roles(seed * 7919u); });
    }
}
template <int... S>
void sweep_all(Tally& tally, std::integer_sequence<int, S...>) {
  (sweep<S + 1>(tally), ...);
}

}  // namespace

TEST_CASE("run fills and reads each tile once when S is 1..8 and tiles are 0..4S+1") {
  Tally tally;
  sweep_all(tally, std::make_integer_sequence<int, 8>{});
  CHECK(tally.report() == "");
}
