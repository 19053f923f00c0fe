// SPDX-License-Identifier: Apache-2.0
// Copy cases over layout and edge, for every path that takes the pair.
#include "hows.cuh"

namespace tilepipe_test {
namespace {

using Padded = tilepipe::PaddedTile<16, unsigned short, 8, 64>;
using Padded4 = tilepipe::PaddedTile<4, unsigned, 8, 32>;
using Swizzled128 = tilepipe::SwizzledTile<unsigned short, 8, 64>;
using Swizzled64 = tilepipe::SwizzledTile<unsigned short, 8, 32>;
using Swizzled32 = tilepipe::SwizzledTile<unsigned short, 8, 16>;
using Panels = tilepipe::SwizzledTile<unsigned, 4, 64>;  // rows of two panels of 128 bytes
using Team = tilepipe::Block<64>;

template <class Tile, class Edge>
void edged(const std::string& name) {
#define TILEPIPE_TEST_ADD(path, how) \
  add_ring<typename how<Team>::template With<Edge>, Tile, 2>("layouts/" + name + "-" + path);
  TILEPIPE_TEST_GROUPS_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
}

template <class Tile>
void mapped(const std::string& name) {
  add_ring<UnforcedMapped<Team>::With<tilepipe::ZeroFill>, Tile, 2>("mapped/" + name +
                                                                    "-zero_fill");
}

const bool added = [] {
  using tilepipe::Exact;
  using tilepipe::Skip;
  using tilepipe::ZeroFill;
  edged<Padded, Exact>("padded-exact");
  edged<Padded, ZeroFill>("padded-zero_fill");
  edged<Padded, Skip>("padded-skip");
  edged<Swizzled128, Exact>("swizzled-exact");
  edged<Swizzled128, ZeroFill>("swizzled-zero_fill");
  edged<Swizzled128, Skip>("swizzled-skip");
  add_ring<Unforced<Team>::With<ZeroFill>, Padded4, 2>("layouts/padded4-zero_fill-automatic");
  add_ring<Unforced<Team>::With<ZeroFill>, Swizzled64, 2>("layouts/swizzled64-zero_fill-automatic");
  add_ring<Unforced<Team>, Swizzled32, 2>("layouts/swizzled32-exact-automatic");
  add_ring<Unforced<Team>, Panels, 3>("layouts/panels-exact-automatic");
  // A mapped source: tensor copies, or the plain view.
  mapped<Swizzled128>("swizzled128");
  mapped<Swizzled64>("swizzled64");
  mapped<Swizzled32>("swizzled32");
  mapped<Panels>("panels");
  mapped<tilepipe::Tile<float, 3, 512>>("wide-float");  // six boxes: a warp issues
  mapped<tilepipe::Tile<double, 4, 8>>("double-float");
  mapped<tilepipe::Tile<unsigned char, 300, 32>>("high");  // three boxes of 100 rows
  mapped<tilepipe::Tile<unsigned, 2, 3, 16>>("3d");
  // Too small to lie at multiples of 128 bytes in every stage: no boxes.
  add_ring<UnforcedMapped<Team>, tilepipe::Tile<short, 32>, 3>("mapped/64_bytes");
#if TILEPIPE_TEST_ARCH >= 90
  add_ring<Bulk<Team>, Padded, 2>("layouts/padded-exact-bulk");
  add_ring<Bulk<tilepipe::Warp>::With<Skip>, Padded, 3>("layouts/padded-skip-bulk-warp");
  add_ring<Bulk<tilepipe::Specialized<32, 32>>::With<Skip>, Padded, 3>(
      "layouts/padded-skip-bulk-roles");
#endif
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
