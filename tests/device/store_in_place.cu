// SPDX-License-Identifier: Apache-2.0
// Stores from the stages of a pipeline: teams, paths of loads and stores, numbers of stages.
#include "store_in_place.cuh"

#include "interop_policies.cuh"

namespace tilepipe_test {
namespace {

using tilepipe::Skip;
using tilepipe::Tile;

const bool added = [] {
  using Team = tilepipe::Block<64>;
  using Roles = tilepipe::Specialized<32, 64>;
  using Line = Tile<unsigned char, 272>;
  using Plain = Via<Path::registers>;
  // one thread stores and loads, or roles do
  add_run<Unforced<Team>, Line, 1>("line-1_stage");
  add_run<Unforced<Team>, Line, 2>("line-2_stages");
  add_run<Unforced<Team>, Line, 3>("line-3_stages");
  add_run<Unforced<tilepipe::Block<>>, Line, 4>("line-block");
  add_run<Unforced<tilepipe::Warp>, Line, 2>("line-warp");
  add_run<Unforced<tilepipe::GroupTeam<LaneGroup<16>>>, Line, 3>("line-lanes16");
  add_run<Unforced<tilepipe::Thread>, Tile<unsigned char, 32>, 2>("line-thread");
  add_run<Unforced<Roles>, Line, 1>("line-roles-1_stage");
  add_run<Unforced<Roles>, Line, 3>("line-roles-3_stages");
  add_run<Unforced<tilepipe::SpecializedTurns<32, 32, 2>>, Line, 3>("line-turns-2_groups");
  add_in_place<Unforced<Team>, Beside<Line>, Line, 2, false>("line-beside");
  add_in_place<Unforced<Roles>, Beside<Line>, Line, 2, false>("line-beside-roles");
  add_by_verbs<Unforced<Team>, Line, 1>("line-verbs-1_stage");
  add_by_verbs<Unforced<Team>, Line, 2>("line-verbs-2_stages");
  add_by_verbs<Unforced<Team>, Line, 4>("line-verbs-4_stages");
  add_by_verbs<Unforced<Roles>, Line, 3>("line-verbs-roles");
  add_in_place<Unforced<tilepipe::SpecializedGroups<32, 32, 2>>, Beside<Line>, Line, 3, false>(
      "line-every_groups-beside");
  add_drop<Unforced<Team>, Line, 2>("line-dropped");
  add_drop<Unforced<Team>, Line, 1>("line-dropped-1_stage");
  add_drop<Unforced<Roles>, Line, 2>("line-dropped-roles");
  add_before_part<Unforced<Team>, Line, 2>("line-before_part");
  add_before_part<Unforced<Roles>, Line, 2>("line-before_part-roles");
  // all threads load, or store
  add_run<Registers<Team>, Line, 2>("line-loaded_in_two_phases");
  add_run<RegistersNamed<Roles>, Line, 2>("line-loaded_in_two_phases-roles");
  add_run<Unforced<Team>, Line, 1, Plain>("registers-1_stage");
  add_run<Unforced<Team>, Line, 2, Plain>("registers-2_stages");
  add_run<Unforced<Roles>, Line, 2, Plain>("registers-roles");
  add_by_verbs<Unforced<Team>, Line, 3, Plain>("registers-verbs");
#if TILEPIPE_TEST_ARCH >= 80
  add_run<CpAsyncGroups<Team>, Line, 1>("line-loaded_by_groups-1_stage");
  add_run<CpAsyncGroups<Team>, Line, 3>("line-loaded_by_groups");
  add_run<CpAsyncMbarrier<Team>, Line, 2>("line-loaded_on_mbarriers");
  add_run<CpAsyncMbarrier<Roles>, Line, 2>("line-loaded_on_mbarriers-roles");
  add_by_verbs<CpAsyncGroups<Team>, Line, 3>("line-verbs-loaded_by_groups");
#endif
  // several threads store: rows, edges, layouts
  add_run<Unforced<Team>, Tile<float, 3, 512>, 2>("line-wide_rows");
  add_run<UnforcedZeroed<Team>, Tile<float, 3, 512>, 2, Skip>("line-wide_rows_cut");
  add_run<UnforcedZeroed<Team>, Tile<short, 3, 4, 8>, 2, Skip>("skip_3d");
  add_run<Unforced<Team>, Tile<short, 6, 24>, 3, tilepipe::Packed>("line-packed");
  add_run<Unforced<Team>, tilepipe::SwizzledTile<short, 8, 64>, 2>("swizzled");
  add_run<Unforced<Team>, tilepipe::PaddedTile<16, float, 5, 8>, 2>("padded");

  add_run<Foreign<Team>, Line, 2>("line-libcudacxx-thread");
  add_run<Foreign<Team, BoundPipeline>, Line, 2>("line-libcudacxx-pipeline");
  add_run<Foreign<Team, BoundBarriers>, Line, 2>("line-libcudacxx-barriers");
  add_run<Foreign<Roles, BoundPipeline>, Line, 2>("line-libcudacxx-roles");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
