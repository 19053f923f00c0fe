// SPDX-License-Identifier: Apache-2.0
// Tiles that are written over in their stage and stored from there, in run and by the verbs.
#pragma once
#include "hows.cuh"
#include "store_kernel.cuh"

namespace tilepipe_test {

// What leaves: the tile that was loaded, written over, or another one of its stage.
template <class Tile>
struct Beside {
  Tile x, y;
};
template <class Tile>
__device__ Tile& leaving(OneTile<Tile>& s) {
  return s.x;
}
template <class Tile>
__device__ Tile& leaving(Beside<Tile>& s) {
  return s.y;
}

template <bool Last, class Pipe, class Storer, class Tile>
__device__ void store_from(Pipe& pipe, Storer& store, const Tile& tile, const Geometry& g,
                           long long number) {
  const Place p = place_of<Tile>(g, number);
  const auto at = [&](auto... coordinates) {
    if constexpr (Last)
      pipe.store_last(store, tile, coordinates...);
    else
      pipe.store(store, tile, coordinates...);
  };
  if constexpr (Tile::rank == 1) {
    at(p.at[2]);
  } else if constexpr (Tile::rank == 2) {
    at(p.at[1], p.at[2]);
  } else {
    at(p.at[0], p.at[1], p.at[2]);
  }
}

// Elements of the tile, shared out as write_slot does, that are not what it wrote: nobody may have
// refilled the stage.
template <class Tile, class Team>
__device__ int count_refilled(const Tile& tile, const Team& team, long long number,
                              const unsigned char* in, const Geometry& g) {
  int refilled = 0;
  if constexpr (Tile::rank == 1) {
    const int size = team.computing_size();
    constexpr int bytes = sizeof(typename Tile::value_type);
    const long long first = place_of<Tile>(g, number).at[2];
#pragma unroll 1
    for (int i = static_cast<int>((team.computing_rank() + number) % size); i < Tile::size;
         i += size)
      if (first + i >= 0 && first + i < g.extent[2]) {
        const auto is = reinterpret_cast<const unsigned char*>(&tile[i])[0];
        refilled += is != (in[(first + i) * bytes] ^ place_byte(number, i, 0)) ? 1 : 0;
      }
  }
  return refilled;
}

// Tile by tile in turns: stored last; the same after a delay; stored, and read again before the
// release; not stored by the pipeline at all.
template <class Pipe, class Storer, class Stage, class Team>
__device__ void compute_and_store(Pipe& pipe, Storer& store, Stage& s, const Team& team,
                                  const unsigned char* in, unsigned char* out, int* faults,
                                  const Geometry& g, long long t, long long n) {
  using Tile = typename Storer::TileType;
  if constexpr (Team::groups > 1 && Team::sharing == tilepipe::Sharing::every)
    if (pipe.group() != t % Team::groups) return;  // each group stores what it alone has written
  maybe_delay(g.delay, t);
  write_slot(leaving(s), team, n, &s.x);
  if (t % 4 < 2 || (Tile::rank > 1 && t % 4 == 3)) {
    if (t % 4 == 1) maybe_delay(g.delay, t + 1);
    store_from<true>(pipe, store, leaving(s), g, n);
  } else if (t % 4 == 2) {
    store_from<false>(pipe, store, leaving(s), g, n);
    maybe_delay(g.delay, t);
    if (const int refilled = count_refilled(leaving(s), team, n, in, g))
      atomicAdd(faults, refilled);
  } else {
    const int size = team.computing_size();
    constexpr int bytes = sizeof(typename Tile::value_type);
    const long long first = place_of<Tile>(g, n).at[2];
#pragma unroll 1
    for (int i = static_cast<int>((team.computing_rank() + n) % size); i < Tile::size; i += size)
      if (first + i >= 0 && first + i < g.extent[2])
        for (int b = 0; b < bytes; ++b)
          out[(first + i) * bytes + b] = reinterpret_cast<const unsigned char*>(&leaving(s)[i])[b];
  }
}

// g.passes runs; between them, if g.drain, the ring is drained and used as scratch.
template <class Stage, class Tile, class Pipe, class Ring, class Loader, class Storer, class Team>
__device__ void run_in_place(Pipe& pipe, Ring& ring, Loader& load, Storer& store, const Team& team,
                             const unsigned char* in, unsigned char* out, int* faults,
                             const Geometry& g, const Numbering& number) {
  for (int pass = 0; pass < g.passes; ++pass) {
    pipe.run(
        g.tiles,
        [&](Stage& s, long long t) { fill_from(pipe, load, s.x, g, number(t + pass * g.tiles)); },
        [&](Stage& s, long long t) {
          compute_and_store(pipe, store, s, team, in, out, faults, g, t,
                            number(t + pass * g.tiles));
        });
    if (g.drain != 0) {
      pipe.drain();
      auto* scratch = reinterpret_cast<unsigned char*>(&ring.stage);
      if (!pipe.is_producer() && pipe.group() == 0)
        for (int i = pipe.rank(); i < static_cast<int>(sizeof ring.stage); i += pipe.size())
          scratch[i] = shared_poison;
      pipe.resume();
    }
  }
}

// The same tiles by the verbs: as far ahead as there are stages; one stage stays held if g.drain.
template <class Stage, class Tile, int Stages, class Pipe, class Loader, class Storer, class Team>
__device__ void verbs_in_place(Pipe& pipe, Loader& load, Storer& store, const Team& team,
                               const unsigned char* in, unsigned char* out, int* faults,
                               const Geometry& g, const Numbering& number) {
  constexpr bool roles = TeamOf<Team>::specialized;
  const long long tiles = g.tiles * g.passes;
  const long long hold = g.drain != 0 && Stages > 1 ? 1 : 0;
  const auto fill = [&](long long t) {
    Stage& s = pipe.producer_acquire();
    fill_from(pipe, load, s.x, g, number(t));
    pipe.producer_commit();
  };
  if (roles && pipe.is_producer()) {
    for (long long t = 0; t < tiles; ++t) fill(t);
  } else {
    for (long long t = 0; !roles && t < Stages && t < tiles; ++t) fill(t);
    for (long long t = 0; t < tiles; ++t) {
      Stage& s = pipe.consumer_wait(tilepipe::writable);
      if (hold == 0) {
        compute_and_store(pipe, store, s, team, in, out, faults, g, t, number(t));
      } else {
        write_slot(leaving(s), team, number(t), &s.x);
        store_from<false>(pipe, store, leaving(s), g, number(t));
      }
      if (t < hold) continue;
      pipe.consumer_release();
      if (!roles && t - hold + Stages < tiles) fill(t - hold + Stages);
    }
    if (hold != 0 && tiles > 0) pipe.consumer_release();
  }
  pipe.drain();
}

// Tile 0 is stored from a stage that is still held when the pipeline is drained; a loop that only
// reads its stages brings the others.
template <class How, class Tile, int Stages>
__global__ void store_and_drop(const unsigned char* in, unsigned char* out, int* path, Geometry g) {
  using Stage = OneTile<Tile>;
  using Team = typename How::Team;
  using Storer = tilepipe::TileStorer<Tile>;
  auto& ring = poisoned_ring<tilepipe::Ring<Stage, Stages>, Team>();
  const Numbering number = numbering<Team>();
  const auto team = TeamOf<Team>::make();
  auto load = make_loader<typename How::template Loader<Tile>>(in, g);
  Storer store = make_storer<Storer>(out, g);
  if (block_rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(Storer::path);
  const long long tiles = g.tiles * g.passes;
  tilepipe::Pipeline pipe{ring, team, load, store};
  if (tiles == 0) return;
  if (!TeamOf<Team>::specialized || pipe.is_producer()) {
    fill_from(pipe, load, pipe.producer_acquire().x, g, number(0));
    pipe.producer_commit();
  }
  if (!pipe.is_producer()) {
    Stage& s = pipe.consumer_wait(tilepipe::writable);
    write_slot(s.x, team, number(0), &s.x);
    store_from<true>(pipe, store, s.x, g, number(0));
  }
  pipe.drain();
  pipe.resume();
  pipe.run(
      tiles - 1, [&](Stage& s, long long t) { fill_from(pipe, load, s.x, g, number(t + 1)); },
      [&](const Stage& s, long long t) {
        maybe_delay(g.delay, t);
        const long long first = place_of<Tile>(g, number(t + 1)).at[2];
        for (int i = pipe.rank(); i < Tile::size; i += pipe.size())
          out[first + i] = s.x[i] ^ place_byte(number(t + 1), i, 0);
      });
}

// The first part of a stage is stored last before the second is waited for, which then is read.
template <class How, class Tile, int Stages>
__global__ void store_before_part(const unsigned char* in, unsigned char* out, int* path,
                                  Geometry g) {
  using Stage = Beside<Tile>;
  using Team = typename How::Team;
  using Storer = tilepipe::TileStorer<Tile>;
  auto& ring = poisoned_ring<tilepipe::Ring<Stage, Stages, 2>, Team>();
  const Numbering number = numbering<Team>();
  const auto team = TeamOf<Team>::make();
  auto load = make_loader<typename How::template Loader<Tile>>(in, g);
  Storer store = make_storer<Storer>(out, g);
  if (block_rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(Storer::path);
  tilepipe::Pipeline pipe{ring, team, load, store};
  pipe.run(
      g.tiles * g.passes,
      [&](Stage& s, long long t) {
        fill_from(pipe, load, s.x, g, number(t));
        pipe.producer_commit();
        fill_from(pipe, load, s.y, g, number(t));
      },
      [&](Stage& s, long long t) {
        write_slot(s.x, team, number(t), &s.x);
        store_from<true>(pipe, store, s.x, g, number(t));
        pipe.consumer_wait();
        maybe_delay(g.delay, t);
        const long long first = place_of<Tile>(g, number(t)).at[2];
        int wrong = 0;
        for (int i = pipe.rank(); i < Tile::size; i += pipe.size())
          wrong += s.y[i] != in[first + i] ? 1 : 0;
        if (wrong != 0) atomicAdd(path + 1, wrong);
      });
}

template <class How, class Stage, class Tile, int Stages, bool Verbs, class... Options>
__global__ void store_in_place(const unsigned char* in, unsigned char* out, int* path, Geometry g) {
  using Team = typename How::Team;
  using Loader = typename How::template Loader<Tile>;
  using Storer = tilepipe::TileStorer<Tile, Options...>;
  using Ring = tilepipe::Ring<Stage, Stages>;
  Ring& ring = poisoned_ring<Ring, Team>();
  const Numbering number = numbering<Team>();
  const auto team = TeamOf<Team>::make();
  Loader load = make_loader<Loader>(in, g);
  Storer store = make_storer<Storer>(out, g);
  if (block_rank() == 0 && blockIdx.x == 0) *path = static_cast<int>(Storer::path);
  with_pipeline<How>(
      ring,
      [&](auto& pipe) {
        if constexpr (Verbs)
          verbs_in_place<Stage, Tile, Stages>(pipe, load, store, team, in, out, path + 1, g,
                                              number);
        else
          run_in_place<Stage, Tile>(pipe, ring, load, store, team, in, out, path + 1, g, number);
      },
      load, store);
}

template <class How, class Stage, class T, int Stages, bool Verbs, class... Options>
void add_in_place(const std::string& name) {
  CopyCase c = describe<How, T, Stages, 1, Stage>(
      "store_in_place/" + name,
      reinterpret_cast<const void*>(&store_in_place<How, Stage, T, Stages, Verbs, Options...>));
  if (tilepipe::StorerTraits<T, Options...>::config.edge == tilepipe::Edge::skip)
    c.edge = EdgeKind::skip;
  add_copy_case(c);
}
template <class How, class T, int Stages>
void add_drop(const std::string& name) {
  add_copy_case(describe<How, T, Stages>(
      "store_in_place/" + name, reinterpret_cast<const void*>(&store_and_drop<How, T, Stages>)));
}
template <class How, class T, int Stages>
void add_before_part(const std::string& name) {
  add_copy_case(describe<How, T, Stages, 2, Beside<T>>(
      "store_in_place/" + name, reinterpret_cast<const void*>(&store_before_part<How, T, Stages>)));
}
template <class How, class T, int Stages, class... Options>
void add_run(const std::string& name) {
  add_in_place<How, OneTile<T>, T, Stages, false, Options...>(name);
}
template <class How, class T, int Stages, class... Options>
void add_by_verbs(const std::string& name) {
  add_in_place<How, OneTile<T>, T, Stages, true, Options...>(name);
}

}  // namespace tilepipe_test
