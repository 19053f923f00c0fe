// SPDX-License-Identifier: Apache-2.0
// Verbs in roles, in warps and in single threads: loading threads and computing threads each in
// their own loop.
#include "protocol_kernel.cuh"

namespace tilepipe_test {
namespace {

template <template <class> class Way>
void roles(const std::string& way) {
  using Team = tilepipe::Specialized<32, 64>;
  add_verbs<Way<Team>, SingleStage, 1>("roles/single-" + way);
  add_verbs<Way<Team>, SingleStage, 2>("roles/single-" + way);
  add_verbs<Way<Team>, SingleStage, 4>("roles/single-" + way);
  add_verbs<Way<Team>, Window<2>, 3>("roles/window2-" + way);
  add_verbs<Way<Team>, Overwrite, 2>("roles/overwrite-" + way);
  add_verbs<Way<tilepipe::Specialized<64, 96>>, SingleStage, 3>("roles/wide-" + way);
}
template <class How>
void small_team(const std::string& way) {
  add_verbs<How, SingleStage, 1>("small/single-" + way);
  add_verbs<How, RefillLast, 2>("small/refill_last-" + way);
  add_verbs<How, Window<2>, 4>("small/window2-" + way);
}

const bool added = [] {
#define TILEPIPE_TEST_ADD(name, how) roles<how>(name);
  TILEPIPE_TEST_ROLES_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#define TILEPIPE_TEST_ADD(name, how) small_team<how<tilepipe::Warp>>(std::string("warp-") + name);
  TILEPIPE_TEST_GROUPS_HOWS(TILEPIPE_TEST_ADD)
  TILEPIPE_TEST_HOWS_90(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#define TILEPIPE_TEST_ADD(name, how) \
  small_team<how<tilepipe::Thread>>(std::string("thread-") + name);
  TILEPIPE_TEST_GROUPS_HOWS(TILEPIPE_TEST_ADD)
  small_team<Unforced<tilepipe::Thread>>("thread-automatic");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
