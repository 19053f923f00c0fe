// SPDX-License-Identifier: Apache-2.0
// drain() with tiles in flight: each path, completion and team.
#include "protocol_drop.cuh"

namespace tilepipe_test {
namespace {

const bool added = [] {
#define TILEPIPE_TEST_ADD(name, how) add_drop<how<tilepipe::Block<64>>>(name);
  TILEPIPE_TEST_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#define TILEPIPE_TEST_ADD(name, how)                                          \
  add_drop<how<tilepipe::Specialized<32, 64>>>(std::string("roles-") + name); \
  add_drop<how<tilepipe::Specialized<64, 96>>>(std::string("wide_roles-") + name);
  TILEPIPE_TEST_ROLES_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
  add_drop<Unforced<tilepipe::Warp>>("warp-automatic");
  add_drop<Unforced<tilepipe::Thread>>("thread-automatic");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
