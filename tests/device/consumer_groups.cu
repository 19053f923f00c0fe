// SPDX-License-Identifier: Apache-2.0
// Several groups of computing threads: every stage for each of them, or tiles in turns of two.
#include "protocol_run.cuh"

namespace tilepipe_test {
namespace {

using Panel = tilepipe::Tile<unsigned, 4, 32>;
using TwoGroups = tilepipe::SpecializedGroups<32, 64, 2>;
using ThreeGroups = tilepipe::SpecializedGroups<32, 32, 3>;
using Turns = tilepipe::SpecializedTurns<32, 32, 2>;
using ThreeTurns = tilepipe::SpecializedTurns<32, 32, 3>;

template <template <class> class Way>
void groups(const std::string& way) {
  add_ring<Way<TwoGroups>, Panel, 2>("stages/two_groups-" + way + "/2");
  add_ring<Way<ThreeGroups>, Panel, 4>("stages/three_groups-" + way + "/4");
  add_ring<Way<Turns>, Panel, 1>("stages/turns-" + way + "/1");
  add_ring<Way<Turns>, Panel, 3>("stages/turns-" + way + "/3");
  add_ring<Way<ThreeTurns>, Panel, 4>("stages/three_turns-" + way + "/4");
  using How = Way<TwoGroups>;
  add_copy_case(
      describe<How, Line, 3>("stop/two_groups-" + way + "/3", address(&early_stop<How, 3>)));
}

const bool added = [] {
#if TILEPIPE_TEST_ARCH < 80
  groups<Registers>("registers");
#else
  groups<CpAsyncMbarrier>("cp_async");
#endif
#if TILEPIPE_TEST_ARCH >= 90
  groups<Bulk>("bulk");
  add_ring<Tensor<TwoGroups>, Panel, 2>("mapped/two_groups-tensor/2");
  add_ring<Tensor<ThreeTurns>, Panel, 4>("mapped/three_turns-tensor/4");
#endif
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
