// SPDX-License-Identifier: Apache-2.0
// Copy cases over team, path, completion and edge: every combination that the table of combinations
// allows.
#include "hows.cuh"

namespace tilepipe_test {
namespace {

using tilepipe::Exact;
using tilepipe::Skip;
using tilepipe::ZeroFill;
using Panel = tilepipe::Tile<unsigned, 4, 16>;
using Row = tilepipe::Tile<unsigned, 64>;  // one run of bytes: bulk copies, where team and
                                           // completion have them

template <class Way>
void exact(const std::string& name) {
  add_ring<Way, Panel, 2>("teams/" + name + "-exact");
}
template <class Way>
void line(const std::string& name) {
  add_ring<Way, Row, 2>("teams/" + name + "-line");
}
template <class Way>
void skip(const std::string& name) {
  add_ring<typename Way::template With<Skip>, Panel, 2>("teams/" + name + "-skip");
}
template <class Way>
void zero_fill(const std::string& name) {
  add_ring<typename Way::template With<ZeroFill>, Panel, 2>("teams/" + name + "-zero_fill");
}
template <class Way>
void every_edge(const std::string& name) {
  exact<Way>(name);
  skip<Way>(name);
  zero_fill<Way>(name);
}

// In the functions below `Team` and `team` say for whom.
#define TILEPIPE_TEST_ADD(name, how) every_edge<how<Team>>(team + "-" + name);

template <class Team>
void bytes_counted(const std::string& team) {
#if TILEPIPE_TEST_ARCH >= 90
  exact<Bulk<Team>>(team + "-bulk-mbarrier");
  skip<Bulk<Team>>(team + "-bulk-mbarrier");
  exact<Tensor<Team>>(team + "-tensor-mbarrier");
  zero_fill<Tensor<Team>>(team + "-tensor-mbarrier");
#else
  (void)team;
#endif
}
template <class Team>
void unified(const std::string& team) {
  TILEPIPE_TEST_EDGED_HOWS(TILEPIPE_TEST_ADD)
  bytes_counted<Team>(team);
}
template <class Team>
void roles(const std::string& team) {
  TILEPIPE_TEST_EDGED_ROLES_HOWS(TILEPIPE_TEST_ADD)
  bytes_counted<Team>(team);
}
template <class Team>
void thread(const std::string& team) {
  TILEPIPE_TEST_GROUPS_HOWS(TILEPIPE_TEST_ADD)
}

const bool added = [] {
  unified<tilepipe::Block<96>>("block96");
  unified<tilepipe::Block<>>("block");
  unified<tilepipe::Warp>("warp");
  unified<tilepipe::GroupTeam<LaneGroup<16>>>("lanes16");
  roles<tilepipe::Specialized<32, 64>>("roles");
  thread<tilepipe::Thread>("thread");
  exact<Unforced<tilepipe::Block<>>>("block-automatic");
  zero_fill<Unforced<tilepipe::Thread>>("thread-automatic");
  exact<Unforced<tilepipe::Specialized<64, 96>>>("wide_roles-automatic");
  line<Unforced<tilepipe::Thread>>("thread-automatic");
  line<UnforcedGroups<tilepipe::Thread>>("thread-automatic-groups");
  line<UnforcedGroups<tilepipe::Block<96>>>("block96-automatic-groups");
  line<UnforcedGroups<tilepipe::Warp>>("warp-automatic-groups");
  line<Unforced<tilepipe::Block<>>>("block-automatic");
  line<Unforced<tilepipe::Warp>>("warp-automatic");
  line<Unforced<tilepipe::Specialized<32, 64>>>("roles-automatic");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
