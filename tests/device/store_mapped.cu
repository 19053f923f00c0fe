// SPDX-License-Identifier: Apache-2.0
// Tiles stored by tensor maps: layouts, ranks, many boxes, starts that have no place in a map, and
// destinations that can have none.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "store_case.hpp"
#include "store_in_place.cuh"
#include "tensor_argument.hpp"

namespace tilepipe_test {

template <class Team, class Tile, int Slots, class... Options>
__global__ void store_by_map(const __grid_constant__ tilepipe::TensorSource<Tile> to, int* path,
                             Geometry g) {
  using Ring = tilepipe::StoreRing<Tile, Slots>;
  using Storer = tilepipe::TileStorer<Tile, tilepipe::Mapped, Options...>;
  Ring& ring = poisoned_ring<Ring, Team>();
  const Numbering number = numbering<Team>();
  const auto team = TeamOf<Team>::make();
  Storer store{to};
  tilepipe::StorePipeline stores{ring, team, store};
  if (block_rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(Storer::path);
  if (!computes<Team>()) return;
  for (int pass = 0; pass < g.passes; ++pass) {
    for (long long t = 0; t < g.tiles; ++t) {
      const long long n = number(t + pass * g.tiles);
      Tile& slot = stores.acquire();
      maybe_delay(g.delay, t);
      write_slot(slot, team, n, static_cast<const Tile*>(nullptr));
      store_to<Tile>(stores, g, n);
    }
    stores.drain();
  }
}

// Loaded by one map and stored by another.
template <class Team, class Tile, int Stages>
__global__ void store_in_place_by_map(const __grid_constant__ tilepipe::TensorSource<Tile> from,
                                      const __grid_constant__ tilepipe::TensorSource<Tile> to,
                                      int* path, Geometry g) {
  using Stage = OneTile<Tile>;
  using Ring = tilepipe::Ring<Stage, Stages>;
  using Storer = tilepipe::TileStorer<Tile, tilepipe::Mapped, tilepipe::Skip>;
  Ring& ring = poisoned_ring<Ring, Team>();
  const Numbering number = numbering<Team>();
  const auto team = TeamOf<Team>::make();
  tilepipe::TileLoader<Tile, tilepipe::Mapped, tilepipe::ZeroFill> load{from};
  Storer store{to};
  tilepipe::Pipeline pipe{ring, team, load, store};
  if (block_rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(Storer::path);
  run_in_place<Stage, Tile>(pipe, ring, load, store, team,
                            reinterpret_cast<const unsigned char*>(from.view.data), nullptr,
                            path + 1, g, number);
}

template <class Tile, int Slots, class... Options>
__global__ void add_by_map(const __grid_constant__ tilepipe::TensorSource<Tile> to, int* path,
                           Geometry g) {
  using Team = tilepipe::Block<64>;
  using Storer = tilepipe::TileStorer<Tile, tilepipe::Mapped, tilepipe::ReduceAdd, Options...>;
  auto& ring = poisoned_ring<tilepipe::StoreRing<Tile, Slots>, Team>();
  const Numbering number = numbering<Team>();
  Storer store{to};
  tilepipe::StorePipeline stores{ring, Team{}, store};
  if (block_rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(Storer::path);
  for (long long t = 0; t < g.tiles; ++t) add_numbers<Tile>(stores, g, number(t));
  stores.drain();
}

namespace {

template <class Tile>
Argument destination(unsigned char* data, const Geometry& g) {
  tilepipe::Source<typename Tile::value_type, Tile::rank> view;
  view.data = reinterpret_cast<const typename Tile::value_type*>(data);
  const long long stride[3] = {g.slice_pitch, g.row_pitch, 1};
  for (int d = 0; d < Tile::rank; ++d) {
    view.extent[d] = g.extent[3 - Tile::rank + d];
    view.stride[d] = stride[3 - Tile::rank + d];
  }
  return tensor_argument<Tile>(view, true);
}

template <class Team, class Tile, int Slots, class... Options>
MappedStore describe_store(const std::string& name, const void* kernel) {
  CopyCase c;
  c.name = name;
  c.kernel = kernel;
  c.element_bytes = sizeof(typename Tile::value_type);
  c.element_align = alignof(typename Tile::value_type);
  c.rank = Tile::rank;
  for (int i = 0; i < 3; ++i) c.extent[i] = ExtentsOf<Tile>::extent(i);
  c.edge = EdgeKind::skip;
  constexpr tilepipe::LoaderConfig config = tilepipe::StorerTraits<Tile, Options...>::config;
  c.promise = config.alignment != 0 ? config.alignment : 16;
  c.stages = Slots;
  c.threads = TeamOf<Team>::threads;
  c.teams = TeamOf<Team>::teams;
  c.shared_bytes = TeamOf<Team>::teams * sizeof(tilepipe::StoreRing<Tile, Slots>);
  return {c, &destination<Tile>};
}

template <class Team, class Tile, int Slots, class... Options>
MappedStore mapped(const std::string& name) {
  return describe_store<Team, Tile, Slots, Options...>(
      "store_mapped/" + name,
      reinterpret_cast<const void*>(&store_by_map<Team, Tile, Slots, Options...>));
}
template <class Team, class Tile, int Stages>
MappedStore in_place(const std::string& name) {
  MappedStore m = describe_store<Team, Tile, Stages>(
      "store_mapped/in_place-" + name,
      reinterpret_cast<const void*>(&store_in_place_by_map<Team, Tile, Stages>));
  m.c.shared_bytes = TeamOf<Team>::teams * sizeof(tilepipe::Ring<OneTile<Tile>, Stages>);
  return m;
}
template <class Tile, class... Options>
MappedStore adding(const std::string& name) {
  return describe_store<tilepipe::Block<64>, Tile, 2, Options...>(
      "store_mapped_add/" + name, reinterpret_cast<const void*>(&add_by_map<Tile, 2, Options...>));
}

}  // namespace

const std::vector<MappedStore>& mapped_in_place() {
  static const std::vector<MappedStore> all = {
      in_place<tilepipe::Block<64>, tilepipe::SwizzledTile<float, 8, 32>, 2>("swizzled"),
      in_place<tilepipe::Specialized<32, 64>, tilepipe::SwizzledTile<float, 8, 32>, 3>(
          "swizzled-roles"),
      in_place<tilepipe::Block<64>, tilepipe::Tile<short, 3, 4, 24>, 3>("3d"),
  };
  return all;
}

const std::vector<MappedStore>& mapped_adds() {
  using tilepipe::Skip;
  using tilepipe::SwizzledTile;
  using tilepipe::Tile;
  static const std::vector<MappedStore> all = {
      adding<Tile<int, 104>, Skip>("line-int"),
      adding<Tile<unsigned long long, 104>, Skip>("line-unsigned_long_long"),
      adding<Tile<__half, 104>, Skip>("line-half"),
      adding<Tile<__nv_bfloat16, 104>, Skip>("line-bf16"),
      adding<SwizzledTile<float, 6, 64>, Skip, tilepipe::EvictLast>("swizzled-float"),
      adding<Tile<double, 104>, Skip>("bulk-double"),
  };
  return all;
}

const std::vector<MappedStore>& mapped_stores() {
  using tilepipe::Skip;
  using tilepipe::SwizzledTile;
  using tilepipe::Tile;
  using Team = tilepipe::Block<64>;
  static const std::vector<MappedStore> all = {
      mapped<Team, Tile<float, 16, 32>, 1, Skip>("rows-1_slot"),
      mapped<Team, Tile<float, 16, 32>, 3, Skip>("rows-3_slots"),
      mapped<tilepipe::Warp, Tile<float, 16, 32>, 2, Skip>("rows-warp"),
      mapped<tilepipe::Specialized<32, 64>, Tile<float, 16, 32>, 2, Skip>("rows-roles"),
      mapped<Team, Tile<double, 512>, 2, Skip>("line-boxes"),
      mapped<Team, Tile<unsigned char, 272, 16>, 2, Skip>("rows-boxes"),
      mapped<Team, Tile<Element<12, 4>, 8, 8>, 2, Skip>("rows-12_bytes"),
      mapped<Team, Tile<float, 3, 4, 32>, 2, Skip>("3d"),
      mapped<Team, SwizzledTile<short, 16, 64>, 2, Skip>("swizzled"),
      mapped<Team, SwizzledTile<float, 8, 64>, 2, Skip>("swizzled-panels"),
      mapped<Team, Tile<float, 16, 32>, 2, Skip, tilepipe::Aligned<4>>("rows-unmapped"),
      mapped<Team, Tile<float, 16, 32>, 2, Skip, tilepipe::EvictFirst>("rows-evict_first"),
  };
  return all;
}

}  // namespace tilepipe_test
