// SPDX-License-Identifier: Apache-2.0
// transform() over elements of many sizes, to the same type and to others, and in the tile itself,
// in every layout and by every team.
#include <cuda_fp16.h>

#include "hows.cuh"
#include "special_kernels.hpp"

namespace tilepipe_test {

// Byte b of what becomes of an element: byte b of the element, which begins anew where it ends,
// changed by a key.
template <class Out>
struct Mix {
  template <class In>
  __device__ Out operator()(const In& in) const {
    Out out;
    const auto* from = reinterpret_cast<const unsigned char*>(&in);
    auto* to = reinterpret_cast<unsigned char*>(&out);
#pragma unroll
    for (int b = 0; b < static_cast<int>(sizeof(Out)); ++b)
      to[b] = from[b % sizeof(In)] ^ transform_key(b);
    return out;
  }
};

struct Same {
  template <class T>
  __device__ T operator()(const T& in) const {
    return in;
  }
};

// Tile number n of all goes from a dense source to the n-th place of a dense output; InPlace: it is
// transformed where it is first.
template <class How, class Tile, class Out, bool InPlace>
__global__ void transform_tiles(const unsigned char* in, unsigned char* out, long long tiles) {
  using Stage = OneTile<Tile>;
  using Ring = tilepipe::Ring<Stage, 2>;
  using Loader = typename How::template Loader<Tile>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  Geometry g;
  g.across = Tile::rank == 1 ? 1ll << 40 : 1;
  g.extent[1] = 1ll << 40;
  g.extent[2] = Tile::rank == 1 ? 1ll << 40 : Tile::cols;
  g.row_pitch = Tile::cols;
  Loader load = make_loader<Loader>(in, g);
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        const auto fill = [&](Stage& s, long long t) { fill_from(pipe, load, s.x, g, number(t)); };
        const auto to = [&](long long t) {
          return reinterpret_cast<Out*>(out) + number(t) * Tile::size;
        };
        if constexpr (InPlace)
          pipe.run(tiles, fill, [&](Stage& s, long long t) {
            pipe.transform(s.x, Mix<Out>{});
            pipe.sync();
            pipe.transform(s.x, to(t), Same{});
          });
        else
          pipe.run(tiles, fill,
                   [&](const Stage& s, long long t) { pipe.transform(s.x, to(t), Mix<Out>{}); });
        pipe.close();
      },
      load);
}

namespace {

template <class Team_, class Tile, class Out, bool InPlace>
void add_case(const std::string& name) {
  using Way = Unforced<Team_>;
  using Team = TeamOf<Team_>;
  SpecialCase c;
  c.name = "transform/" + name;
  c.kernel = reinterpret_cast<const void*>(&transform_tiles<Way, Tile, Out, InPlace>);
  c.threads = Team::threads;
  c.teams = Team::teams;
  c.shared_bytes = Team::teams * sizeof(tilepipe::Ring<OneTile<Tile>, 2>);
  c.rows = Tile::rows;
  c.cols = Tile::cols;
  c.in_bytes = sizeof(typename Tile::value_type);
  c.out_bytes = sizeof(Out);
  add_special_case(c);
}
template <class Team, class Tile, class Out>
void add(const std::string& name) {
  add_case<Team, Tile, Out, false>(name);
}
template <class Team, class Tile>
void add_in_place(const std::string& name) {
  add_case<Team, Tile, typename Tile::value_type, true>("in_place-" + name);
}
// In every layout whose rows are whole vectors, and where they are not.
template <class Team>
void layouts(const std::string& team) {
  add<Team, tilepipe::Tile<float, 200>, float>(team + "-line");
  add<Team, tilepipe::Tile<float, 51>, float>(team + "-odd_line");
  add<Team, tilepipe::Tile<float, 5, 20>, float>(team + "-rows");
  add<Team, tilepipe::PaddedTile<16, short, 5, 24>, float>(team + "-padded_16");
  add<Team, tilepipe::PaddedTile<4, float, 5, 20>, float>(team + "-padded_4");
  add<Team, tilepipe::SwizzledTile<short, 8, 64>, float>(team + "-swizzled");
}
template <class T, class Out>
void elements(const std::string& name) {
  using Team = tilepipe::Block<64>;
  add<Team, tilepipe::Tile<T, 208>, Out>(name + "-line");
  add<Team, tilepipe::Tile<T, 3, 13>, Out>(name + "-odd_rows");
}

template <class Team>
void layouts_in_place(const std::string& team) {
  add_in_place<Team, tilepipe::Tile<float, 200>>(team + "-line");
  add_in_place<Team, tilepipe::Tile<float, 51>>(team + "-odd_line");
  add_in_place<Team, tilepipe::PaddedTile<16, short, 5, 24>>(team + "-padded_16");
  add_in_place<Team, tilepipe::PaddedTile<4, float, 5, 20>>(team + "-padded_4");
  add_in_place<Team, tilepipe::SwizzledTile<short, 8, 64>>(team + "-swizzled");
}
template <class T>
void elements_in_place(const std::string& name) {
  using Team = tilepipe::Block<64>;
  add_in_place<Team, tilepipe::Tile<T, 208>>(name + "-line");
  add_in_place<Team, tilepipe::Tile<T, 3, 13>>(name + "-odd_rows");
}

const bool added = [] {
  layouts<tilepipe::Block<96>>("block96");
  layouts<tilepipe::Block<>>("block");
  layouts<tilepipe::Warp>("warp");
  layouts<tilepipe::Thread>("thread");
  layouts<tilepipe::Specialized<32, 64>>("roles");
  layouts<tilepipe::GroupTeam<LaneGroup<16>>>("lanes16");

  elements<unsigned char, unsigned char>("1_to_1");
  elements<__half, __half>("half_to_half");
  elements<double, double>("8_to_8");
  elements<Element<12, 4>, Element<12, 4>>("12_to_12");
  elements<Element<16, 16>, Element<16, 16>>("16_to_16");
  elements<Element<3, 1>, float>("3_to_4");
  elements<unsigned char, double>("1_to_8");
  elements<float, __half>("4_to_half");
  elements<Element<12, 4>, short>("12_to_2");
  elements<Element<16, 16>, unsigned char>("16_to_1");
  add<tilepipe::Block<64>, tilepipe::PaddedTile<2, short, 4, 32>, short>("2_to_2-padded_2");
  add<tilepipe::Block<64>, tilepipe::PaddedTile<8, short, 4, 32>, short>("2_to_2-padded_8");
  add<tilepipe::Block<64>, tilepipe::PaddedTile<8, short, 4, 32>, float>("2_to_4-padded_8");
  add<tilepipe::Block<64>, tilepipe::SwizzledTile<unsigned char, 16, 32>, unsigned char>(
      "1_to_1-swizzled");

  layouts_in_place<tilepipe::Block<96>>("block96");
  layouts_in_place<tilepipe::Block<>>("block");
  layouts_in_place<tilepipe::Specialized<32, 64>>("roles");
  elements_in_place<unsigned char>("1_byte");
  elements_in_place<Element<3, 1>>("3_bytes");
  elements_in_place<Element<12, 4>>("12_bytes");
  elements_in_place<Element<16, 16>>("16_bytes");
  elements_in_place<Element<24, 8>>("24_bytes");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
