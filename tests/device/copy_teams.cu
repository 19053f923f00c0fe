// SPDX-License-Identifier: Apache-2.0
// Copy cases over the team, for every path: exact one-dimensional tiles, and two-dimensional ones
// with zeros outside.
#include "hows.cuh"

namespace tilepipe_test {
namespace {

using Line = tilepipe::Tile<unsigned, 64>;
using Panel = tilepipe::Tile<unsigned, 4, 16>;

#define TILEPIPE_TEST_EXACT(name, how) \
  add_ring<how<Team>, Line, 3>("teams/" + team + "-" + name + "-exact");
#define TILEPIPE_TEST_EDGED(name, how)                                       \
  add_ring<typename how<Team>::template With<tilepipe::ZeroFill>, Panel, 2>( \
      "teams/" + team + "-" + name + "-zero_fill");

template <class Team>
void unified(const std::string& team) {
  TILEPIPE_TEST_HOWS(TILEPIPE_TEST_EXACT)
  TILEPIPE_TEST_EDGED_HOWS(TILEPIPE_TEST_EDGED)
}
template <class Team>
void specialized(const std::string& team) {
  TILEPIPE_TEST_SPECIALIZED_HOWS(TILEPIPE_TEST_EXACT)
  add_ring<typename Unforced<Team>::template With<tilepipe::ZeroFill>, Panel, 2>(
      "teams/" + team + "-automatic-zero_fill");
  add_ring<typename Registers<Team>::template With<tilepipe::ZeroFill>, Panel, 2>(
      "teams/" + team + "-registers-zero_fill");
}
void thread() {
  using Team = tilepipe::Thread;
  const std::string team = "thread";
  TILEPIPE_TEST_EXACT("registers", Registers)
  TILEPIPE_TEST_EDGED("registers", Registers)
  TILEPIPE_TEST_EDGED("automatic", Unforced)
#if TILEPIPE_TEST_ARCH >= 80
  TILEPIPE_TEST_EXACT("cp_async", CpAsync)
  TILEPIPE_TEST_EDGED("cp_async", CpAsync)
#endif
}

const bool added = [] {
  unified<tilepipe::Block<96>>("block96");
  unified<tilepipe::Block<>>("block");
  unified<tilepipe::Warp>("warp");
  unified<tilepipe::GroupTeam<LaneGroup<16>>>("lanes16");
  specialized<tilepipe::Specialized<32, 96>>("roles32x96");
  specialized<tilepipe::Specialized<64, 32>>("roles64x32");
  thread();
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
