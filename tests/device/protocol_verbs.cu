// SPDX-License-Identifier: Apache-2.0
// Verbs in every right order, unified, for every path: the loops of one and two buffers, and odd
// ones.
#include "protocol_kernel.cuh"

namespace tilepipe_test {
namespace {

using Team = tilepipe::Block<64>;

template <template <class> class Way>
void orders(const std::string& way) {
  add_verbs<Way<Team>, SingleStage, 1>("verbs/single-" + way);
  add_verbs<Way<Team>, DoubleBuffer, 2>("verbs/double-" + way);
  add_verbs<Way<Team>, WaitFirst, 3>("verbs/wait_first-" + way);
  add_verbs<Way<Team>, EmptyTail, 3>("verbs/empty_tail-" + way);
  add_verbs<Way<Team>, RefillLast, 3>("verbs/refill_last-" + way);
  add_verbs<Way<Team>, Bursts, 3>("verbs/bursts-" + way);
  add_verbs<Way<Team>, Uneven, 4>("verbs/uneven-" + way);
  add_verbs<Way<Team>, Window<2>, 3>("verbs/window2-" + way);
  add_verbs<Way<Team>, Overwrite, 2>("verbs/overwrite-" + way);
}

const bool added = [] {
#define TILEPIPE_TEST_ADD(name, how) orders<how>(name);
  TILEPIPE_TEST_HOWS(TILEPIPE_TEST_ADD)
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
