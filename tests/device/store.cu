// SPDX-License-Identifier: Apache-2.0
// Tiles stored by StorePipeline: alone, behind a Pipeline in the same kernel, and added to what is
// there.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "hows.cuh"
#include "store_kernel.cuh"

namespace tilepipe_test {

// g.passes times over the tiles; between them the ring is drained and used as scratch.
template <class Team, class Tile, int Slots, class... Options>
__global__ void store_tiles(unsigned char* out, int* path, Geometry g) {
  using Ring = tilepipe::StoreRing<Tile, Slots>;
  using Storer = tilepipe::TileStorer<Tile, Options...>;
  Ring& ring = poisoned_ring<Ring, Team>();
  const Numbering number = numbering<Team>();
  const auto team = TeamOf<Team>::make();
  Storer store = make_storer<Storer>(out, g);
  tilepipe::StorePipeline stores{ring, team, store};
  if (block_rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(Storer::path);
  if (!computes<Team>()) return;
  for (int pass = 0; pass < g.passes; ++pass) {
    for (long long t = 0; t < g.tiles; ++t) {
      const long long n = number(t + pass * g.tiles);
      Tile& slot = stores.acquire();
      maybe_delay(g.delay, t);
      write_slot(slot, team, n, static_cast<const Tile*>(nullptr));
      maybe_delay(g.delay, t + 1);
      store_to<Tile>(stores, g, n);
    }
    stores.drain();
    auto* scratch = reinterpret_cast<unsigned char*>(&ring);
    for (int i = team.computing_rank(); i < static_cast<int>(sizeof ring);
         i += team.computing_size())
      scratch[i] = shared_poison;
    team.sync_computing();
  }
}

// The same of tiles that come through a ring of loads.
template <class How, class Tile, int Stages, int Slots>
__global__ void store_loaded(const unsigned char* in, unsigned char* out, int* path, Geometry g) {
  using Team = typename How::Team;
  using Stage = OneTile<Tile>;
  struct Rings {
    tilepipe::Ring<Stage, Stages> load;
    tilepipe::StoreRing<Tile, Slots> store;
  };
  using Loader = typename How::template Loader<Tile>;
  using Storer = tilepipe::TileStorer<Tile>;
  Rings& rings = poisoned_ring<Rings, Team>();
  const Numbering number = numbering<Team>();
  const auto team = TeamOf<Team>::make();
  Loader load = make_loader<Loader>(in, g);
  Storer store = make_storer<Storer>(out, g);
  tilepipe::Pipeline pipe{rings.load, team, load};
  tilepipe::StorePipeline stores{rings.store, team, store};
  if (block_rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(Storer::path);
  for (int pass = 0; pass < g.passes; ++pass) {
    pipe.run(
        g.tiles,
        [&](Stage& s, long long t) { fill_from(pipe, load, s.x, g, number(t + pass * g.tiles)); },
        [&](const Stage& s, long long t) {
          const long long n = number(t + pass * g.tiles);
          Tile& slot = stores.acquire();
          maybe_delay(g.delay, t);
          write_slot(slot, team, n, &s.x);
          store_to<Tile>(stores, g, n);
        });
    if (g.drain != 0 && !pipe.is_producer()) stores.drain();
  }
}

template <class T, int Slots, class... Options>
__global__ void add_tiles(unsigned char* out, int* path, Geometry g) {
  using Tile = tilepipe::Tile<T, 104>;
  using Team = tilepipe::Block<64>;
  using Storer = tilepipe::TileStorer<Tile, tilepipe::ReduceAdd, Options...>;
  using Ring = tilepipe::StoreRing<Tile, Slots>;
  Ring& ring = poisoned_ring<Ring, Team>();
  const Numbering number = numbering<Team>();
  Storer store = make_storer<Storer>(out, g);
  tilepipe::StorePipeline stores{ring, Team{}, store};
  if (block_rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(Storer::path);
  for (long long t = 0; t < g.tiles; ++t) add_numbers<Tile>(stores, g, number(t));
  stores.drain();
}

namespace {

using tilepipe::PaddedTile;
using tilepipe::Skip;
using tilepipe::SwizzledTile;
using tilepipe::Tile;

template <class Team, class T, int Slots, class... Options>
void add(const std::string& name) {
  CopyCase c = describe<How<Team, Automatic, Options...>, T, Slots>(
      "store/" + name, reinterpret_cast<const void*>(&store_tiles<Team, T, Slots, Options...>));
  c.shared_bytes = TeamOf<Team>::teams * sizeof(tilepipe::StoreRing<T, Slots>);
  add_copy_case(c);
}
template <class How, class T, int Stages, int Slots>
void add_loaded(const std::string& name) {
  struct Rings {
    tilepipe::Ring<OneTile<T>, Stages> load;
    tilepipe::StoreRing<T, Slots> store;
  };
  CopyCase c = describe<How, T, Stages>(
      "store_loaded/" + name, reinterpret_cast<const void*>(&store_loaded<How, T, Stages, Slots>));
  c.shared_bytes = TeamOf<typename How::Team>::teams * sizeof(Rings);
  add_copy_case(c);
}
template <class T, class... Options>
void add_adding(const std::string& name) {
  using Adding = Tile<T, 104>;
  CopyCase c = describe<How<tilepipe::Block<64>, Automatic, Options...>, Adding, 2>(
      "store_add/" + name, reinterpret_cast<const void*>(&add_tiles<T, 2, Options...>));
  c.shared_bytes = sizeof(tilepipe::StoreRing<Adding, 2>);
  add_copy_case(c);
}

// Edges, layouts and alignments that both paths have, by options that name the path or none.
template <class... Via_>
void edges(const std::string& way) {
  using Team = tilepipe::Block<64>;
  add<Team, Tile<unsigned char, 208>, 2, Skip, Via_...>("skip_line-" + way);
  add<Team, Tile<float, 5, 8>, 2, Skip, Via_...>("skip_rows-" + way);
  add<Team, Tile<short, 3, 4, 8>, 2, Skip, Via_...>("skip_3d-" + way);
  add<Team, Tile<float, 5, 8>, 3, Via_...>("rows-" + way);
  add<Team, Tile<float, 40, 4>, 2, Skip, Via_...>("many_rows-" + way);
  add<Team, PaddedTile<16, float, 5, 8>, 2, Skip, Via_...>("padded-" + way);
}

const bool added = [] {
  using Team = tilepipe::Block<64>;
  using Line = Tile<unsigned char, 272>;
  add<Team, Line, 1>("line-1_slot");
  add<Team, Line, 2>("line-2_slots");
  add<Team, Line, 5>("line-5_slots");
  add<tilepipe::Block<>, Line, 2>("line-block");
  add<tilepipe::Warp, Line, 1>("line-warp-1_slot");
  add<tilepipe::Warp, Line, 2>("line-warp");
  add<tilepipe::Thread, Tile<float, 8>, 1>("line-thread-1_slot");
  add<tilepipe::Thread, Tile<float, 8>, 2>("line-thread");
  add<tilepipe::GroupTeam<LaneGroup<16>>, Line, 3>("line-lanes16");
  add<tilepipe::Specialized<32, 64>, Line, 2>("line-roles");
  add<Team, Tile<Element<12, 4>, 48>, 2>("line-12_bytes");
  add<Team, Tile<Element<16, 16>, 17>, 2>("line-16_bytes");
  add<Team, Tile<double, 40>, 2, Skip>("line-skip_8_bytes");
  add<Team, Tile<float, 3, 512>, 2, Skip>("line-wide_rows");
  add<Team, Tile<short, 6, 24>, 2, tilepipe::Packed>("line-packed");
  add<Team, Line, 2, tilepipe::EvictFirst>("line-evict_first");
  add<Team, Line, 2, tilepipe::EvictLast>("line-evict_last");
  edges<>("automatic");
  edges<Via<Path::registers>>("registers");
#if TILEPIPE_TEST_ARCH >= 90
  edges<Via<Path::bulk>>("bulk");
#endif
  add<Team, Tile<Element<3, 1>, 37>, 2>("odd-3_bytes");
  add<Team, Tile<float, 5, 9>, 2, Skip>("odd-rows");
  add<Team, Tile<short, 52>, 2, tilepipe::Aligned<4>, Skip>("odd-aligned_4");
  add<Team, PaddedTile<2, short, 4, 32>, 2>("odd-padded_2");
  add<Team, SwizzledTile<short, 8, 64>, 2, Skip>("swizzled-skip");
  add<Team, Tile<unsigned char, 100>, 2, tilepipe::AnyAlignment>("any-line");
  add<Team, Tile<unsigned char, 100>, 2, tilepipe::AnyAlignment, Skip>("any-skip_line");
  add<Team, Tile<unsigned char, 7, 60>, 2, tilepipe::AnyAlignment, Skip>("any-skip_rows");
  add<Team, SwizzledTile<unsigned char, 8, 64>, 2, tilepipe::AnyAlignment, Skip>("any-swizzled");

  add_loaded<Unforced<Team>, Line, 2, 1>("line-2_stages_1_slot");
  add_loaded<Unforced<Team>, Line, 3, 2>("line-3_stages_2_slots");
  add_loaded<Unforced<tilepipe::Specialized<32, 64>>, Line, 2, 2>("line-roles");
  add_loaded<Unforced<tilepipe::Warp>, Line, 2, 3>("line-warp");

  add_adding<int>("line-int");
  add_adding<unsigned>("line-unsigned");
  add_adding<long long>("line-long_long");
  add_adding<unsigned long long, Skip>("line-unsigned_long_long");
  add_adding<float>("line-float");
  add_adding<double, Skip, tilepipe::EvictLast>("line-double");
  add_adding<__half>("line-half");
  add_adding<__nv_bfloat16, Skip>("line-bf16");
  add_adding<float, Skip, Via<Path::registers>>("registers-float");
  add_adding<double, Via<Path::registers>>("registers-double");
  add_adding<__half, Skip, Via<Path::registers>>("registers-half");
  add_adding<__nv_bfloat16, Via<Path::registers>>("registers-bf16");
  add_adding<long, tilepipe::AnyAlignment, Skip>("any-long");
  add_adding<__half, tilepipe::Aligned<2>, Skip>("odd-half");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
