// SPDX-License-Identifier: Apache-2.0
// Copy cases in which every pair of settings occurs. Written by pairwise.py, not by hand.
#include "hows.cuh"

namespace tilepipe_test {
namespace {

// clang-format off
const bool added = [] {
  using namespace tilepipe;
  add_ring<RegistersGroups<GroupTeam<LaneGroup<16>>>::With<Skip, Aligned<4>>,
           SwizzledTile<Element<16, 16>, 2, 3, 4>, 1>("pairs/3-registers-groups-lanes16");
  add_ring<RegistersGroups<Thread>::With<ZeroFill, AnyAlignment>,
           Tile<unsigned char, 128>, 5>("pairs/5-registers-groups");
  add_ring<RegistersNamed<Specialized<32, 64>>::With<Skip, Aligned<4>>,
           PaddedTile<16, float, 32>, 1>("pairs/8-registers-named_barrier-roles");
  add_ring<RegistersNamed<Specialized<32, 64>>::With<ZeroFill, Aligned<16>>,
           SwizzledTile<unsigned short, 2, 3, 32>, 3>("pairs/12-registers-named_barrier-roles");
  add_ring<RegistersGroups<GroupTeam<LaneGroup<16>>>::With<Exact, Aligned<16>>,
           PaddedTile<16, unsigned char, 5, 64>, 3>("pairs/14-registers-groups-lanes16");
  add_ring<RegistersNamed<Specialized<32, 64>>::With<Exact, AnyAlignment>,
           PaddedTile<16, Element<16, 16>, 5, 4>, 2>("pairs/18-registers-named_barrier-roles");
  add_ring<RegistersGroups<Block<>>::With<Exact, Aligned<4>>,
           Tile<unsigned short, 64>, 2>("pairs/21-registers-groups");
  add_ring<RegistersNamed<Specialized<32, 64>>::With<Exact, Aligned<16>>,
           Tile<unsigned char, 2, 3, 64>, 5>("pairs/22-registers-named_barrier-roles");
  add_ring<RegistersGroups<Block<64>>::With<ZeroFill, AnyAlignment>,
           PaddedTile<16, float, 2, 3, 16>, 2>("pairs/26-registers-groups");
  add_ring<RegistersGroups<Thread>::With<ZeroFill, AnyAlignment>,
           Tile<Element<16, 16>, 2, 3, 4>, 1>("pairs/27-registers-groups");
  add_ring<RegistersGroups<Warp>::With<Exact, Aligned<16>>,
           PaddedTile<16, float, 2, 3, 16>, 5>("pairs/29-registers-groups");
#if TILEPIPE_TEST_ARCH >= 80
  add_ring<RegistersMbarrier<Block<>>::With<ZeroFill, AnyAlignment>,
           PaddedTile<16, float, 2, 3, 16>, 3>("pairs/0-registers-mbarrier");
  add_ring<CpAsyncMbarrier<Specialized<32, 64>>::With<Exact, Aligned<4>>,
           Tile<unsigned char, 5, 64>, 2>("pairs/1-cp_async-mbarrier-roles");
  add_ring<CpAsyncGroups<Warp>::With<Skip, Aligned<16>>,
           PaddedTile<16, unsigned short, 5, 32>, 5>("pairs/2-cp_async-groups");
  add_ring<CpAsyncMbarrier<Block<64>>::With<ZeroFill, AnyAlignment>,
           SwizzledTile<unsigned short, 5, 32>, 1>("pairs/6-cp_async-mbarrier");
  add_ring<CpAsyncGroups<Thread>::With<Exact, Aligned<16>>,
           SwizzledTile<float, 2, 3, 16>, 2>("pairs/7-cp_async-groups");
  add_ring<RegistersMbarrier<GroupTeam<LaneGroup<16>>>::With<Skip, AnyAlignment>,
           Tile<unsigned short, 64>, 2>("pairs/9-registers-mbarrier-lanes16");
  add_ring<RegistersMbarrier<Block<>>::With<Exact, Aligned<4>>,
           SwizzledTile<Element<16, 16>, 5, 4>, 5>("pairs/10-registers-mbarrier");
  add_ring<CpAsyncGroups<Warp>::With<ZeroFill, AnyAlignment>,
           Tile<Element<16, 16>, 8>, 2>("pairs/13-cp_async-groups");
  add_ring<CpAsyncMbarrier<Block<64>>::With<Skip, Aligned<4>>,
           PaddedTile<16, float, 2, 3, 16>, 5>("pairs/15-cp_async-mbarrier");
  add_ring<CpAsyncGroups<Thread>::With<Skip, Aligned<4>>,
           PaddedTile<16, unsigned short, 5, 32>, 3>("pairs/16-cp_async-groups");
  add_ring<RegistersMbarrier<Warp>::With<Exact, Aligned<16>>,
           SwizzledTile<unsigned char, 2, 3, 64>, 1>("pairs/17-registers-mbarrier");
  add_ring<CpAsyncMbarrier<Warp>::With<ZeroFill, Aligned<4>>,
           Tile<float, 32>, 3>("pairs/20-cp_async-mbarrier");
  add_ring<CpAsyncGroups<Block<64>>::With<ZeroFill, AnyAlignment>,
           Tile<unsigned char, 128>, 1>("pairs/23-cp_async-groups");
  add_ring<CpAsyncMbarrier<GroupTeam<LaneGroup<16>>>::With<ZeroFill, Aligned<16>>,
           SwizzledTile<Element<16, 16>, 2, 3, 4>, 1>("pairs/24-cp_async-mbarrier-lanes16");
  add_ring<RegistersMbarrier<Specialized<32, 64>>::With<Exact, AnyAlignment>,
           SwizzledTile<unsigned char, 5, 64>, 2>("pairs/28-registers-mbarrier-roles");
  add_ring<RegistersMbarrier<Block<64>>::With<ZeroFill, Aligned<16>>,
           SwizzledTile<Element<16, 16>, 5, 4>, 2>("pairs/30-registers-mbarrier");
  add_ring<CpAsyncMbarrier<Block<>>::With<ZeroFill, Aligned<16>>,
           SwizzledTile<float, 5, 16>, 3>("pairs/31-cp_async-mbarrier");
  add_ring<CpAsyncGroups<Block<>>::With<ZeroFill, Aligned<4>>,
           Tile<Element<16, 16>, 5, 4>, 1>("pairs/32-cp_async-groups");
  add_ring<CpAsyncGroups<GroupTeam<LaneGroup<16>>>::With<Skip, Aligned<4>>,
           PaddedTile<16, unsigned char, 128>, 2>("pairs/34-cp_async-groups-lanes16");
#endif
#if TILEPIPE_TEST_ARCH >= 90
  add_ring<Bulk<Block<64>>::With<Exact, Aligned<16>>,
           Tile<Element<16, 16>, 8>, 3>("pairs/4-bulk-mbarrier");
  add_ring<Bulk<Block<>>::With<Skip, Aligned<16>>,
           Tile<unsigned char, 2, 3, 64>, 1>("pairs/11-bulk-mbarrier");
  add_ring<Bulk<GroupTeam<LaneGroup<16>>>::With<Skip, Aligned<16>>,
           PaddedTile<16, float, 5, 16>, 5>("pairs/19-bulk-mbarrier-lanes16");
  add_ring<Bulk<Specialized<32, 64>>::With<Exact, Aligned<16>>,
           PaddedTile<16, unsigned short, 5, 32>, 2>("pairs/25-bulk-mbarrier-roles");
  add_ring<Bulk<Warp>::With<Skip, Aligned<16>>,
           PaddedTile<16, Element<16, 16>, 2, 3, 4>, 1>("pairs/33-bulk-mbarrier");
#endif
  return true;
}();
// clang-format on

}  // namespace
}  // namespace tilepipe_test
