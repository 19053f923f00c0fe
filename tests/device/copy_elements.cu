// SPDX-License-Identifier: Apache-2.0
// Copy cases over the element's size and alignment, padding bytes included, and over the tile's
// rank.
#include "hows.cuh"

namespace tilepipe_test {
namespace {

struct Gaps {  // three bytes of padding
  char first;
  int second;
};

template <class T>
void element(const std::string& name) {
  using tilepipe::Tile;
  using tilepipe::ZeroFill;
  add_ring<Unforced<tilepipe::Block<32>>::With<ZeroFill>, Tile<T, 48>, 2>("elements/" + name +
                                                                          "-automatic-zero_fill");
  add_ring<Unforced<tilepipe::Warp>, Tile<T, 3, 16>, 3>("elements/" + name + "-automatic-exact");
}

template <class Tile>
void rank(const std::string& name) {
  using Team = tilepipe::Block<>;
  add_ring<Unforced<Team>, Tile, 2>("ranks/" + name + "-automatic-exact");
  add_ring<Registers<Team>::With<tilepipe::ZeroFill>, Tile, 2>("ranks/" + name +
                                                               "-registers-zero_fill");
  add_ring<Unforced<Team>::With<tilepipe::ZeroFill>, Tile, 2>("ranks/" + name +
                                                              "-automatic-zero_fill");
  add_ring<Unforced<Team>::With<tilepipe::Skip>, Tile, 3>("ranks/" + name + "-automatic-skip");
}

const bool added = [] {
  element<unsigned char>("1");
  element<unsigned short>("2");
  element<Element<3, 1>>("3");
  element<float>("4");
  element<Element<6, 2>>("6");
  element<double>("8");
  element<Gaps>("8-gaps");
  element<Element<12, 4>>("12");
  element<Element<16, 16>>("16");
  element<Element<24, 8>>("24");
  element<Element<32, 16>>("32");
  element<Element<48, 16>>("48");
  rank<tilepipe::Tile<unsigned, 96>>("1d");
  rank<tilepipe::Tile<unsigned, 6, 20>>("2d");
  rank<tilepipe::Tile<unsigned, 2, 3, 16>>("3d");
  // Elements read by the pipeline's own loop.
  using Team = tilepipe::Block<64>;
  add_ring<Unforced<Team>, tilepipe::Tile<float, 512>, 2, true>("for_each/line");
  add_ring<Unforced<Team>::With<tilepipe::ZeroFill>, tilepipe::PaddedTile<8, float, 6, 18>, 2,
           true>("for_each/padded");
  add_ring<Unforced<Team>, tilepipe::SwizzledTile<unsigned short, 8, 64>, 3, true>(
      "for_each/swizzled");
  add_ring<Unforced<tilepipe::Warp>::With<tilepipe::ZeroFill>, tilepipe::Tile<unsigned char, 3, 7>,
           2, true>("for_each/bytes");
  add_ring<Registers<tilepipe::Specialized<32, 64>>, tilepipe::Tile<float, 2, 3, 8>, 2, true>(
      "for_each/3d-roles");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
