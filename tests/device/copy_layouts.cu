// SPDX-License-Identifier: Apache-2.0
// Copy cases over layout and edge, for every path that takes the pair.
#include "hows.cuh"

namespace tilepipe_test {
namespace {

using Plain = tilepipe::Tile<unsigned short, 8, 64>;
using Padded = tilepipe::PaddedTile<16, unsigned short, 8, 64>;
using Padded4 = tilepipe::PaddedTile<4, unsigned, 8, 32>;
using Swizzled128 = tilepipe::SwizzledTile<unsigned short, 8, 64>;
using Swizzled64 = tilepipe::SwizzledTile<unsigned short, 8, 32>;
using Swizzled32 = tilepipe::SwizzledTile<unsigned short, 8, 16>;
using Panels = tilepipe::SwizzledTile<unsigned, 4, 64>;  // rows of two panels of 128 bytes

template <class Tile, class Edge>
void edged(const std::string& name) {
#define TILEPIPE_TEST_ADD(path, how)                                                            \
  add_ring<typename how<tilepipe::Block<64>>::template With<Edge>, Tile, 2>("layouts/" + name + \
                                                                            "-" + path);
  TILEPIPE_TEST_EDGED_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
}
template <class Tile, class Edge>
void bulk(const std::string& name) {
#if TILEPIPE_TEST_ARCH >= 90
  add_ring<Bulk<tilepipe::Block<64>>::With<Edge>, Tile, 2>("layouts/" + name + "-bulk");
  add_ring<Bulk<tilepipe::Warp>::With<Edge>, Tile, 3>("layouts/" + name + "-bulk-warp");
#else
  (void)name;
#endif
}

const bool added = [] {
  using tilepipe::Exact;
  using tilepipe::Skip;
  using tilepipe::ZeroFill;
  edged<Plain, Exact>("plain-exact");
  edged<Plain, ZeroFill>("plain-zero_fill");
  edged<Plain, Skip>("plain-skip");
  edged<Padded, Exact>("padded-exact");
  edged<Padded, ZeroFill>("padded-zero_fill");
  edged<Padded, Skip>("padded-skip");
  edged<Swizzled128, Exact>("swizzled-exact");
  edged<Swizzled128, ZeroFill>("swizzled-zero_fill");
  edged<Swizzled128, Skip>("swizzled-skip");
  edged<Padded4, ZeroFill>("padded4-zero_fill");
  edged<Swizzled64, ZeroFill>("swizzled64-zero_fill");
  edged<Swizzled32, Exact>("swizzled32-exact");
  edged<Panels, Exact>("panels-exact");
  bulk<Plain, Exact>("plain-exact");
  bulk<Plain, Skip>("plain-skip");
  bulk<Padded, Exact>("padded-exact");
  bulk<Padded, Skip>("padded-skip");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
