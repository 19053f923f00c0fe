// SPDX-License-Identifier: Apache-2.0
// The kernel that most copy tests run: tiles go through the ring, and every element comes out,
// changed by its place.
#pragma once
#include <cooperative_groups.h>
#include <tilepipe/tilepipe.cuh>

#include "copy_case.hpp"
#include "support/device_helpers.cuh"
#include "tensor_argument.hpp"

namespace tilepipe_test {

template <int Size, int Align>
struct alignas(Align) Element {
  unsigned char bytes[Size];
};

// How tiles travel: the team, how many threads and teams a block has, the completion, the loader's
// options.
struct Automatic {  // no policy is given
  static constexpr auto completion = tilepipe::Completion::automatic;
};
template <class Team_, class Policy_, class... Options>
struct How {
  using Team = Team_;
  using Policy = Policy_;
  template <class Tile>
  using Loader = tilepipe::TileLoader<Tile, Options...>;
  template <class... More>
  using With = How<Team_, Policy_, Options..., More...>;
};
template <tilepipe::Completion C>
using By = tilepipe::CompleteBy<C>;
// The path of a loader in a pipeline of this kind.
template <class How, class Loader>
inline constexpr tilepipe::Path taken_path =
    Loader::template path_in<How::Team::kind, How::Policy::completion>;

// ---- teams: how many of them a block holds, which one a thread is in, how the object is made ----

template <class Team>
struct TeamOf;
template <int Threads>
struct TeamOf<tilepipe::Block<Threads>> {
  static constexpr int threads = Threads > 0 ? Threads : 96;
  static constexpr int teams = 1;
  static constexpr bool specialized = false;
  static __device__ int index() { return 0; }
  static __device__ tilepipe::Block<Threads> make() { return {}; }
};
template <>
struct TeamOf<tilepipe::Warp> {
  static constexpr int threads = 64;
  static constexpr int teams = 2;
  static constexpr bool specialized = false;
  static __device__ int index() { return static_cast<int>(block_rank()) / 32; }
  static __device__ tilepipe::Warp make() { return {}; }
};
template <>
struct TeamOf<tilepipe::Thread> {
  static constexpr int threads = 8;
  static constexpr int teams = 8;
  static constexpr bool specialized = false;
  static __device__ int index() { return static_cast<int>(block_rank()); }
  static __device__ tilepipe::Thread make() { return {}; }
};
template <int Producers, int Consumers>
struct TeamOf<tilepipe::Specialized<Producers, Consumers>> {
  static constexpr int threads = Producers + Consumers;
  static constexpr int teams = 1;
  static constexpr bool specialized = true;
  static __device__ int index() { return 0; }
  static __device__ bool produces() { return static_cast<int>(block_rank()) >= Consumers; }
  static __device__ tilepipe::Specialized<Producers, Consumers> make() { return {}; }
};
template <int Producers, int GroupThreads, int Groups>
struct GroupedTeam {
  static constexpr int threads = Producers + Groups * GroupThreads;
  static constexpr int teams = 1;
  static constexpr bool specialized = true;
  static __device__ int index() { return 0; }
  static __device__ bool produces() {
    return static_cast<int>(block_rank()) >= Groups * GroupThreads;
  }
};
template <int Producers, int GroupThreads, int Groups>
struct TeamOf<tilepipe::SpecializedGroups<Producers, GroupThreads, Groups>>
    : GroupedTeam<Producers, GroupThreads, Groups> {
  static __device__ tilepipe::SpecializedGroups<Producers, GroupThreads, Groups> make() {
    return {};
  }
};
template <int Producers, int GroupThreads, int Groups>
struct TeamOf<tilepipe::SpecializedTurns<Producers, GroupThreads, Groups>>
    : GroupedTeam<Producers, GroupThreads, Groups> {
  static __device__ auto make() {
    return tilepipe::SpecializedTurns<Producers, GroupThreads, Groups>{2};
  }
};
template <unsigned Size>
using LaneGroup = cooperative_groups::thread_block_tile<Size, cooperative_groups::thread_block>;
template <unsigned Size>
struct TeamOf<tilepipe::GroupTeam<LaneGroup<Size>>> {
  static constexpr int threads = 64;
  static constexpr int teams = 64 / Size;
  static constexpr bool specialized = false;
  static __device__ int index() { return static_cast<int>(block_rank() / Size); }
  static __device__ auto make() {
    return tilepipe::GroupTeam<LaneGroup<Size>>{
        cooperative_groups::tiled_partition<Size>(cooperative_groups::this_thread_block())};
  }
};

// ---- tiles ----

template <class Tile>
struct ExtentsOf;
template <class T, int... E, class L>
struct ExtentsOf<tilepipe::BasicTile<T, tilepipe::Extents<E...>, L>> {
  static constexpr int rank = sizeof...(E);
  static constexpr int given[] = {E...};
  static __host__ __device__ constexpr int extent(int i) {  // of three, slowest first
    const int all[] = {E...};
    return i < 3 - rank ? 1 : all[i - (3 - rank)];
  }
};

struct Place {
  long long at[3];
};
template <class Tile>
__device__ Place place_of(const Geometry& g, long long tile) {
  using E = ExtentsOf<Tile>;
  Place p{{g.first[0], g.first[1], g.first[2]}};
  if constexpr (E::rank == 1) {
    p.at[2] += tile * E::extent(2);
  } else {  // numbers of such tiles are small: divisions of 32 bits keep the kernels short
    const unsigned n = static_cast<unsigned>(tile), across = static_cast<unsigned>(g.across);
    const unsigned rest = n / across;
    p.at[2] += static_cast<long long>(n % across) * E::extent(2);
    if constexpr (E::rank == 2) {
      p.at[1] += static_cast<long long>(rest) * E::extent(1);
    } else {
      const unsigned down = static_cast<unsigned>(g.down);
      p.at[1] += static_cast<long long>(rest % down) * E::extent(1);
      p.at[0] += static_cast<long long>(rest / down) * E::extent(0);
    }
  }
  return p;
}

template <class Loader>
__device__ Loader make_loader(const unsigned char* in, const Geometry& g) {
  using Tile = typename Loader::TileType;
  const auto* data = reinterpret_cast<const typename Tile::value_type*>(in);
  if constexpr (Tile::rank == 1) {
    return Loader{data, g.extent[2]};
  } else if constexpr (Tile::rank == 2) {
    return Loader{data, g.extent[1], g.extent[2], g.row_pitch};
  } else {
    return Loader{data, g.extent[0], g.extent[1], g.extent[2], g.row_pitch, g.slice_pitch};
  }
}

template <class Pipe, class Loader, class Tile>
__device__ void fill_from(Pipe& pipe, Loader& load, Tile& tile, const Geometry& g,
                          long long number) {
  const Place p = place_of<Tile>(g, number);
  if constexpr (Tile::rank == 1) {
    pipe.fill(load, tile, p.at[2]);
  } else if constexpr (Tile::rank == 2) {
    pipe.fill(load, tile, p.at[1], p.at[2]);
  } else {
    pipe.fill(load, tile, p.at[0], p.at[1], p.at[2]);
  }
}

// Where a team's n-th tile lies among all tiles, and where its output goes.
struct Numbering {
  long long team;
  long long teams;
  __device__ long long operator()(long long n) const { return team + n * teams; }
};
template <class Team>
__device__ Numbering numbering() {
  return {static_cast<long long>(blockIdx.x) * TeamOf<Team>::teams + TeamOf<Team>::index(),
          static_cast<long long>(gridDim.x) * TeamOf<Team>::teams};
}

template <class Tile>
__device__ void put(const typename Tile::value_type& value, unsigned char* out, long long tile,
                    int i) {
  constexpr int bytes = sizeof(typename Tile::value_type);
  const auto* from = reinterpret_cast<const unsigned char*>(&value);
  unsigned char* to = out + (tile * Tile::size + i) * bytes;
#pragma unroll 1
  for (int b = 0; b < bytes; ++b) to[b] = from[b] ^ place_byte(tile, i, b);
}
// Groups of computing threads that read every stage have elements of their own.
template <class Pipe>
inline constexpr int sharing_groups = 1;
template <int Stages, class Stage, int Parts, int P, int T, int G, class... Rest>
inline constexpr int sharing_groups<
    tilepipe::Pipeline<Stages, Stage, Parts, tilepipe::SpecializedGroups<P, T, G>, Rest...>> = G;
template <class Pipe, class Tile>
__device__ void put_tile(Pipe& pipe, const Tile& tile, unsigned char* out, long long number) {
  constexpr int groups = sharing_groups<Pipe>;
  const int first = (groups > 1 ? pipe.group() * pipe.size() : 0) + pipe.rank();
#pragma unroll 1
  for (int i = first; i < Tile::size; i += groups * pipe.size()) put<Tile>(tile[i], out, number, i);
}

template <class Pipe, class Ring, class Stage>
__device__ void report_stage(Pipe& pipe, const Ring& ring, const Stage& stage, int* report,
                             long long tile) {
  if (pipe.rank() == 0) report[report_words + tile] = static_cast<int>(&stage - ring.stage);
}
template <class How, class Loader, class Pipe>
__device__ void report_types(Pipe& pipe, int* report) {
  if (pipe.rank() == 0 && blockIdx.x == 0) {
    report[report_path] = static_cast<int>(taken_path<How, Loader>);
    report[report_completion] = static_cast<int>(Pipe::completion);
  }
}

extern __shared__ __align__(1024) unsigned char dynamic_shared[];

// Poisons the block's dynamic shared memory and says which ring in it is the calling thread's.
template <class Ring, class Team>
__device__ Ring& poisoned_ring() {
  poison_shared(dynamic_shared, TeamOf<Team>::teams * sizeof(Ring));
  return reinterpret_cast<Ring*>(dynamic_shared)[TeamOf<Team>::index()];
}

// Makes the pipeline, with the policy or without any, and calls body(pipe).
template <class Policy>
struct WithPolicy {
  template <class Ring, class Team, class Body, class... Loaders>
  static __device__ void call(Ring& ring, const Team& team, Body&& body, Loaders&... loaders) {
    tilepipe::Pipeline pipe{ring, team, Policy{}, loaders...};
    body(pipe);
  }
};
template <>
struct WithPolicy<Automatic> {
  template <class Ring, class Team, class Body, class... Loaders>
  static __device__ void call(Ring& ring, const Team& team, Body&& body, Loaders&... loaders) {
    tilepipe::Pipeline pipe{ring, team, loaders...};
    body(pipe);
  }
};
template <class How, class Ring, class Body, class... Loaders>
__device__ void with_pipeline(Ring& ring, Body&& body, Loaders&... loaders) {
  WithPolicy<typename How::Policy>::call(ring, TeamOf<typename How::Team>::make(), body,
                                         loaders...);
}

template <class Tile>
struct OneTile {
  Tile x;
};

// Runs `passes` times over the team's tiles. ForEach: elements are read by the pipeline's own loop.
template <class How, class Tile, int Stages, bool ForEach, class Loader>
__device__ void copy_tiles(Loader& load, unsigned char* out, int* report, const Geometry& g) {
  using Stage = OneTile<Tile>;
  using Ring = tilepipe::Ring<Stage, Stages>;
  Ring& ring = poisoned_ring<Ring, typename How::Team>();
  const Numbering number = numbering<typename How::Team>();
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        report_types<How, Loader>(pipe, report);
        for (int pass = 0; pass < g.passes; ++pass) {
          pipe.run(
              g.tiles,
              [&](Stage& s, long long t) {
                if constexpr (TeamOf<typename How::Team>::specialized) maybe_delay(g.delay, t);
                fill_from(pipe, load, s.x, g, number(t + pass * g.tiles));
              },
              [&](const Stage& s, long long t) {
                maybe_delay(g.delay, t);
                const long long n = number(t + pass * g.tiles);
                report_stage(pipe, ring, s, report, n);
                if constexpr (ForEach)
                  pipe.for_each(s.x, [&](int i, const typename Tile::value_type& v) {
                    put<Tile>(v, out, n, i);
                  });
                else
                  put_tile(pipe, s.x, out, n);
              });
          if (g.drain != 0) pipe.drain();
        }
        pipe.close();
      },
      load);
}

template <class How, class Tile, int Stages, bool ForEach = false>
__global__ void copy_ring(const unsigned char* in, unsigned char* out, int* report, Geometry g) {
  using Loader = typename How::template Loader<Tile>;
  Loader load = make_loader<Loader>(in, g);
  copy_tiles<How, Tile, Stages, ForEach>(load, out, report, g);
}
template <class How, class Tile, int Stages, bool ForEach = false>
__global__ void copy_mapped(const unsigned char*, unsigned char* out, int* report, Geometry g,
                            const __grid_constant__ tilepipe::TensorSource<Tile> source) {
  typename How::template Loader<Tile> load{source};
  copy_tiles<How, Tile, Stages, ForEach>(load, out, report, g);
}

// What copy_mapped takes for a source at `from`.
template <class Tile>
Argument mapped_argument(const Geometry& g, DeviceAddress from) {
  const auto* data = static_cast<const typename Tile::value_type*>(from.address);
  tilepipe::Source<typename Tile::value_type, Tile::rank> view{};
  const long long pitch[] = {g.slice_pitch, g.row_pitch, 1};
  view.data = data;
  for (int d = 0; d < Tile::rank; ++d) {
    view.extent[d] = g.extent[3 - Tile::rank + d];
    view.stride[d] = pitch[3 - Tile::rank + d];
  }
  return tensor_argument<Tile>(view);
}

// ---- cases ----

template <class How, class Tile, int Stages, int Parts = 1, class Stage = OneTile<Tile>>
CopyCase describe(const std::string& name, const void* kernel) {
  using Team = TeamOf<typename How::Team>;
  using Loader = typename How::template Loader<Tile>;
  CopyCase c;
  c.name = name;
  c.kernel = kernel;
  c.element_bytes = sizeof(typename Tile::value_type);
  c.element_align = alignof(typename Tile::value_type);
  c.rank = Tile::rank;
  for (int i = 0; i < 3; ++i) c.extent[i] = ExtentsOf<Tile>::extent(i);
  constexpr tilepipe::LoaderConfig config = Loader::config;
  c.edge = config.edge == tilepipe::Edge::exact       ? EdgeKind::exact
           : config.edge == tilepipe::Edge::zero_fill ? EdgeKind::zero_fill
                                                      : EdgeKind::skip;
  c.promise = config.any_alignment ? 1 : config.alignment;
  if (c.promise == 0)  // by default what the row's length allows, at most 16
    for (c.promise = 16; Tile::row_bytes % c.promise != 0;) c.promise /= 2;
  if (config.source == tilepipe::SourceKind::mapped) {
    c.pitch_promise = 16;
    c.tensor_source = &mapped_argument<Tile>;
  }
  c.stages = Stages;
  c.threads = Team::threads;
  c.teams = Team::teams;
  c.shared_bytes = Team::teams * sizeof(tilepipe::Ring<Stage, Stages, Parts>);
  return c;
}

template <class How, class Tile, int Stages, bool ForEach = false>
void add_ring(const std::string& name) {
  const void* kernel = nullptr;
  if constexpr (How::template Loader<Tile>::config.source == tilepipe::SourceKind::mapped)
    kernel = reinterpret_cast<const void*>(&copy_mapped<How, Tile, Stages, ForEach>);
  else
    kernel = reinterpret_cast<const void*>(&copy_ring<How, Tile, Stages, ForEach>);
  add_copy_case(describe<How, Tile, Stages>(name, kernel));
}

}  // namespace tilepipe_test
