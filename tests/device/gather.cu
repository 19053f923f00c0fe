// SPDX-License-Identifier: Apache-2.0
// Gathered tiles: a functor names each row's source row, with duplicates, rows outside the source,
// and absent ones.
#include "hows.cuh"
#include "special_kernels.hpp"

namespace tilepipe_test {

constexpr int gather_stages = 3;

// rows: for each tile its source rows, absent_row where there is none. Output: the tile's bytes,
// changed by their place.
template <class How, class Tile>
__global__ void gather(const unsigned char* in, const long long* rows, unsigned char* out,
                       int* path, GatherShape shape) {
  using Ring = tilepipe::Ring<OneTile<Tile>, gather_stages>;
  using Loader = typename How::template With<tilepipe::Gathered>::template Loader<Tile>;
  using T = typename Tile::value_type;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  Loader load{reinterpret_cast<const T*>(in), shape.source_rows, shape.source_cols, shape.pitch};
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        if (pipe.rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(taken_path<How, Loader>);
        pipe.run(
            shape.tiles,
            [&](OneTile<Tile>& s, long long t) {
              const long long* of_tile = rows + number(t) * Tile::rows;
              pipe.fill(
                  load, s.x, [of_tile](int r) { return of_tile[r]; }, shape.col);
            },
            [&](const OneTile<Tile>& s, long long t) { put_tile(pipe, s.x, out, number(t)); });
        pipe.close();
      },
      load);
}

namespace {

template <class How, class Tile>
void add(const std::string& name) {
  using Team = TeamOf<typename How::Team>;
  SpecialCase c;
  c.name = "gather/" + name;
  c.kernel = reinterpret_cast<const void*>(&gather<How, Tile>);
  c.threads = Team::threads;
  c.teams = Team::teams;
  c.stages = gather_stages;
  c.shared_bytes = Team::teams * sizeof(tilepipe::Ring<OneTile<Tile>, gather_stages>);
  c.rows = Tile::rows;
  c.cols = Tile::cols;
  c.zero_fill = How::template Loader<Tile>::config.edge == tilepipe::Edge::zero_fill;
  add_special_case(c);
}

const bool added = [] {
  using tilepipe::Exact;
  using tilepipe::ZeroFill;
  using Rows = tilepipe::Tile<float, 5, 32>;
  using Swizzled = tilepipe::SwizzledTile<float, 8, 32>;
  using Wide = tilepipe::Tile<float, 3, 1024>;  // rows of 4 KiB
  using Team = tilepipe::Block<64>;
#define TILEPIPE_TEST_ADD(name, how) \
  add<how<Team>::With<ZeroFill>, Rows>(std::string(name) + "-zero_fill");
  TILEPIPE_TEST_EDGED_HOWS(TILEPIPE_TEST_ADD)
#undef TILEPIPE_TEST_ADD
  add<Unforced<tilepipe::Warp>::With<ZeroFill>, Rows>("automatic-zero_fill-warp");
  add<Registers<Team>, Rows>("registers-exact");
#if TILEPIPE_TEST_ARCH >= 90
  add<Bulk<Team>, Rows>("bulk-exact");
#endif
  add<Unforced<Team>::With<ZeroFill>, Swizzled>("automatic-zero_fill-swizzled");
  add<Unforced<Team>, Wide>("automatic-exact-wide");
  add<UnforcedGroups<Team>, Wide>("automatic-groups-exact");
  add<Unforced<tilepipe::Specialized<32, 64>>, Wide>("automatic-exact-wide-roles");
  add<Unforced<tilepipe::Specialized<32, 64>>::With<ZeroFill>, Rows>("automatic-zero_fill-roles");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
