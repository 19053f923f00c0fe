// SPDX-License-Identifier: Apache-2.0
// Cases of what goes around run(): early stop, reuse of the storage, leaving, two pipelines in one
// kernel.
#include "protocol_run.cuh"

namespace tilepipe_test {
namespace {

template <class How, class Other>
void two(const std::string& name) {
  CopyCase c = describe<How, Line, 2>("two/" + name, address(&two_pipelines<How, Other, 2>));
  c.tiles_per_step = 2;
  c.spaced = true;
  c.shared_bytes *= 2;
  add_copy_case(c);
}

const bool added = [] {
  using Team = tilepipe::Block<64>;
#define TILEPIPE_TEST_ADD(name, how) around<how<Team>>(name);
  TILEPIPE_TEST_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#define TILEPIPE_TEST_ADD(name, how) \
  around<how<tilepipe::Specialized<32, 64>>>(std::string("roles-") + name);
  TILEPIPE_TEST_ROLES_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
  around<Unforced<tilepipe::Warp>>("warp-automatic");
  two<Registers<Team>, Registers<Team>>("registers-registers");
#if TILEPIPE_TEST_ARCH >= 80
  two<CpAsyncGroups<Team>, CpAsyncGroups<Team>>("groups-groups");
  two<CpAsyncGroups<Team>, CpAsyncMbarrier<Team>>("groups-mbarrier");
  two<CpAsyncMbarrier<Team>, CpAsyncGroups<Team>>("mbarrier-groups");
  two<CpAsyncMbarrier<Team>, CpAsyncMbarrier<Team>>("mbarrier-mbarrier");
  two<Registers<Team>, CpAsyncGroups<Team>>("registers-groups");
#endif
#if TILEPIPE_TEST_ARCH >= 90
  two<Bulk<Team>, CpAsyncGroups<Team>>("bulk-groups");
  two<Bulk<Team>, Bulk<Team>>("bulk-bulk");
  two<Bulk<Team>, Registers<Team>>("bulk-registers");
#endif
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
