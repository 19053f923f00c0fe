// SPDX-License-Identifier: Apache-2.0
// The other library behind the verbs: early stop, reuse of the storage, leaving, dropping, and
// orders of the verbs that end with something in flight or overwrite what they read.
#include "interop_policies.cuh"
#include "protocol_drop.cuh"
#include "protocol_run.cuh"

namespace tilepipe_test {
namespace {

template <class How>
void unified(const std::string& way) {
  around<How>("libcudacxx-" + way);
  add_drop<How>("libcudacxx-" + way);
  add_verbs<How, DoubleBuffer, 2>("verbs/double-libcudacxx-" + way);
  add_verbs<How, EmptyTail, 3>("verbs/empty_tail-libcudacxx-" + way);
  add_verbs<How, Bursts, 3>("verbs/bursts-libcudacxx-" + way);
  add_verbs<How, Uneven, 4>("verbs/uneven-libcudacxx-" + way);
  add_verbs<How, Overwrite, 2>("verbs/overwrite-libcudacxx-" + way);
}

const bool added = [] {
  using Team = tilepipe::Block<64>;
  unified<Foreign<Team>>("thread");
  unified<Foreign<Team, BoundPipeline>>("pipeline");
  unified<Foreign<Team, BoundBarriers>>("barriers");
  unified<Foreign<Team, UsedBarriers>>("used_barriers");

  using Roles = tilepipe::Specialized<64, 96>;  // more than one warp loads
  around<Foreign<Roles, BoundPipeline>>("libcudacxx-roles");
  add_drop<Foreign<Roles, BoundPipeline>>("libcudacxx-roles");
  add_verbs<Foreign<Roles, BoundPipeline>, Overwrite, 2>("roles/overwrite-libcudacxx-pipeline");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
