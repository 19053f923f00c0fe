// SPDX-License-Identifier: Apache-2.0
// Copy cases of the other library behind the same verbs: its pipeline at thread scope, and
// pipelines and barriers of block scope that the kernel owns.
#include "interop_policies.cuh"
#include "protocol_kernel.cuh"

namespace tilepipe_test {
namespace {

using Block64 = tilepipe::Block<64>;
using Roles = tilepipe::Specialized<32, 64>;
using Panel = tilepipe::Tile<unsigned, 4, 16>;
using Padded = tilepipe::PaddedTile<16, unsigned short, 8, 64>;

const bool added = [] {
  add_ring<Foreign<Block64>, Line, 1>("libcudacxx/thread-block64/1");
  add_ring<Foreign<Block64>, Panel, 4>("libcudacxx/thread-block64/4");
  add_ring<Foreign<tilepipe::Block<>>, Padded, 2>("libcudacxx/thread-block/2");
  add_ring<Foreign<tilepipe::Warp>, Panel, 3>("libcudacxx/thread-warp/3");
  add_ring<Foreign<tilepipe::Thread>, Line, 2>("libcudacxx/thread-thread/2");
  add_ring<Foreign<tilepipe::GroupTeam<LaneGroup<16>>>, Panel, 2>("libcudacxx/thread-lanes16/2");
  add_ring<Foreign<Block64>, tilepipe::Tile<Element<6, 2>, 48>, 2>("libcudacxx/thread-6_bytes/2");
  add_ring<Foreign<Block64>, tilepipe::Tile<Element<3, 1>, 37>, 2>("libcudacxx/thread-3_bytes/2");
  add_verbs<Foreign<Block64>, SingleStage, 1>("libcudacxx/thread-single");
  add_verbs<Foreign<Block64>, WaitFirst, 3>("libcudacxx/thread-wait_first");
  add_verbs<Foreign<Block64>, RefillLast, 3>("libcudacxx/thread-refill_last");
  add_verbs<Foreign<Block64>, Uneven, 4>("libcudacxx/thread-uneven");
  add_verbs<Foreign<Block64>, Window<2>, 3>("libcudacxx/thread-window2");

  add_ring<Foreign<Block64, BoundPipeline>, Line, 1>("libcudacxx/pipeline-block64/1");
  add_ring<Foreign<Block64, BoundPipeline>, Panel, 2>("libcudacxx/pipeline-block64/2");
  add_ring<Foreign<Block64, BoundPipeline>, Padded, 4>("libcudacxx/pipeline-block64/4");
  add_ring<Foreign<Roles, BoundPipeline>, Line, 2>("libcudacxx/pipeline-roles/2");
  add_ring<Foreign<Roles, BoundPipeline>, Panel, 3>("libcudacxx/pipeline-roles/3");
  add_verbs<Foreign<Block64, BoundPipeline>, WaitFirst, 3>("libcudacxx/pipeline-wait_first");
  add_verbs<Foreign<Block64, BoundPipeline>, RefillLast, 2>("libcudacxx/pipeline-refill_last");
  add_verbs<Foreign<Roles, BoundPipeline>, SingleStage, 2>("libcudacxx/pipeline-roles-single");

  add_ring<Foreign<Block64, BoundBarriers>, Line, 1>("libcudacxx/barriers-block64/1");
  add_ring<Foreign<Block64, BoundBarriers>, Panel, 2>("libcudacxx/barriers-block64/2");
  add_ring<Foreign<Block64, BoundBarriers>, Padded, 3>("libcudacxx/barriers-block64/3");
  add_ring<Foreign<Block64, BoundBarriers>, tilepipe::Tile<unsigned short, 5, 30>, 2>(
      "libcudacxx/barriers-4_bytes/2");
  add_verbs<Foreign<Block64, BoundBarriers>, WaitFirst, 3>("libcudacxx/barriers-wait_first");
  add_verbs<Foreign<Block64, BoundBarriers>, RefillLast, 2>("libcudacxx/barriers-refill_last");
  add_verbs<Foreign<Block64, BoundBarriers>, Window<2>, 4>("libcudacxx/barriers-window2");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
