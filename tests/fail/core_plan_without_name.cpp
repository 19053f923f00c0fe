// SPDX-License-Identifier: Apache-2.0
// A plan of two loaders with one name.
// expect: tilepipe::host::plan_pipeline<Ring, Team, Loaders...>(block_threads, names...): give each
//   loader a name
#include <tilepipe/host/plan.hpp>

#if defined(TILEPIPE_FAIL_TWIN)
#define NAMES "A", "B"
#else
#define NAMES "A"
#endif

using Tile = tilepipe::Tile<float, 1024>;
struct Stage {
  Tile a;
  Tile b;
};
struct Team {
  static constexpr tilepipe::TeamKind kind = tilepipe::TeamKind::block;
  static constexpr int loading_threads = 256;
  static constexpr int first_barrier = 1;
  static constexpr int group_barriers = 1;
};
using Loader = tilepipe::LoaderTraits<Tile>;

const auto plan =
    tilepipe::host::plan_pipeline<tilepipe::Ring<Stage, 2>, Team, Loader, Loader>(256, NAMES);
