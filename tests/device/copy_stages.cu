// SPDX-License-Identifier: Apache-2.0
// Copy cases over the number of stages, for every path, unified and in roles.
#include "hows.cuh"

namespace tilepipe_test {
namespace {

using Line = tilepipe::Tile<unsigned, 128>;
using Panel = tilepipe::Tile<unsigned, 4, 32>;

template <int Stages>
void unified() {
  const std::string tail = "/" + std::to_string(Stages);
#define TILEPIPE_TEST_ADD(name, how) \
  add_ring<how<tilepipe::Block<64>>, Line, Stages>(std::string("stages/") + name + tail);
  TILEPIPE_TEST_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#define TILEPIPE_TEST_ADD(name, how) \
  add_ring<how<tilepipe::Block<64>>, Line, Stages>(std::string("mapped/stages-") + name + tail);
  TILEPIPE_TEST_MAPPED_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
}
template <int Stages>
void roles() {
  const std::string tail = "/" + std::to_string(Stages);
#define TILEPIPE_TEST_ADD(name, how)                                                         \
  add_ring<how<tilepipe::Specialized<32, 64>>, Panel, Stages>(std::string("stages/roles-") + \
                                                              name + tail);
  TILEPIPE_TEST_ROLES_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
#define TILEPIPE_TEST_ADD(name, how)                                                         \
  add_ring<how<tilepipe::Specialized<32, 64>>, Panel, Stages>(std::string("mapped/roles-") + \
                                                              name + tail);
  TILEPIPE_TEST_MAPPED_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
}

const bool added = [] {
  unified<1>();
  unified<2>();
  unified<3>();
  unified<4>();
  unified<5>();
  unified<6>();
  unified<7>();
  unified<8>();
#if TILEPIPE_TEST_ARCH >= 90
  // 192 bytes, which lie at multiples of 128 in every stage.
  using Halves = tilepipe::Tile<short, 3, 32>;
  add_ring<Tensor<tilepipe::Block<64>>, Halves, 1>("mapped/halves-tensor/1");
  add_ring<Tensor<tilepipe::Block<64>>, Halves, 2>("mapped/halves-tensor/2");
  add_ring<Tensor<tilepipe::Block<64>>, Halves, 3>("mapped/halves-tensor/3");
#endif
  roles<1>();
  roles<2>();
  roles<7>();  // the most that named barriers allow
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
