// SPDX-License-Identifier: Apache-2.0
// Stores: tiles through a ring of loads and a ring of stores, and stores alone.
#include <tilepipe/tile_storer.cuh>

#include "kernels.cuh"

template <class Team, int Stages, int Slots>
__device__ void both_rings(Arguments v) {
  constexpr int teams = teams_of<Team>;
  __shared__ tilepipe::Ring<One<Vector>, Stages> arriving[teams];
  __shared__ tilepipe::StoreRing<Vector, Slots> leaving[teams];
  const int team = teams > 1 ? static_cast<int>(threadIdx.x) / 32 : 0;
  const long long first = (1ll * blockIdx.x * teams + team) * v.tiles;
  tilepipe::TileLoader<Vector> load{v.in};
  tilepipe::TileStorer<Vector> store{v.out};
  tilepipe::Pipeline pipe{arriving[team], Team{}, load};
  tilepipe::StorePipeline stores{leaving[team], Team{}, store};
  const auto run = [&](int begin, int end) {
    pipe.run(
        end - begin,
        [&](One<Vector>& s, int t) { pipe.fill(load, s.x, (first + begin + t) * Vector::size); },
        [&](const One<Vector>& s, int t) {
          Vector& y = stores.acquire();
          for (int i = pipe.rank(); i < Vector::size; i += pipe.size())
            y[i] = 3 * s.x[turned<Vector::size>(i)];
          stores.store((first + begin + t) * Vector::size);
        });
    if (!pipe.is_producer()) stores.drain();
  };
  run(0, v.tiles / 2);
  run(v.tiles / 2, v.tiles);
}

// What is at place i of the source, which a store can have before the one before it is done.
__device__ inline Word value_at(long long i) {
  Word h = static_cast<Word>(i) * 0x9e3779b1u + 0x7f4a7c15u;
  h ^= h >> 15;
  return h * 0x85ebca77u | 1u;
}

// Large tiles, four at a time, whose values are at hand: each is written as soon as its slot is
// acquired, the end first, which a store reads last. Eight at a time are drained, and multiplied
// where they have been stored, the newest first. The last are not drained: when the scope of their
// pipeline ends the ring's memory is used for something else.
template <int Slots>
__device__ void stored(Arguments v) {
  using Tile = tilepipe::Tile<Word, 4096>;
  constexpr int size = Tile::size, threads = 1024, words = size / threads, burst = 4, batch = 8;
  __shared__ tilepipe::StoreRing<Tile, Slots> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  const auto place = [](int word) {
    return size - 1 - static_cast<int>(threadIdx.x) - word * threads;
  };
  {
    tilepipe::TileStorer<Tile> store{v.out};
    tilepipe::StorePipeline stores{ring[0], tilepipe::Block<threads>{}, store};
    for (int begin = 0; begin < v.tiles; begin += burst) {
      Word value[burst][words];
      for (int b = 0; b < burst; ++b)
        for (int k = 0; k < words; ++k) {
          value[b][k] = (begin + b < v.tiles / batch * batch ? 1 : 3) *
                        value_at((first + begin + b) * size + turned<size>(place(k)));
          asm volatile("" : "+r"(value[b][k]));  // computed here
        }
#pragma unroll
      for (int b = 0; b < burst; ++b) {
        if (begin + b == v.tiles) break;
        Tile& y = stores.acquire();
        if (b == 0) maybe_late(v.seed, begin, before_load);
        for (int k = 0; k < words; ++k) y[place(k)] = value[b][k];
        stores.store((first + begin + b) * size);
      }
      if (begin % batch == 0 || begin + burst > v.tiles) continue;
      stores.drain();
      Word* out = v.out + (first + begin + burst - batch) * size;
      for (int i = batch * size - 1 - threadIdx.x; i >= 0; i -= threads) out[i] *= 3;
    }
  }
  own_barrier();
  poison(ring, 1, v.seed);
}

KERNEL(stored_1_slot__t1024u1e4096_exact, stored<1>)
KERNEL(stored_2_slots__t1024u1e4096_exact, stored<2>)
KERNEL(stored_3_slots__t1024u1e4096_exact, stored<3>)
KERNEL(stores_1_slot__t128u1e512_exact, both_rings<tilepipe::Block<128>, 2, 1>)
KERNEL(stores_2_slots__t128u1e512_exact, both_rings<tilepipe::Block<128>, 2, 2>)
KERNEL(stores_3_slots__t128u1e512_exact, both_rings<tilepipe::Block<128>, 3, 3>)
KERNEL(stores_warp__t64u2e512_exact, both_rings<tilepipe::Warp, 2, 2>)
KERNEL(stores_roles__t128u1e512_exact, both_rings<tilepipe::Specialized<32, 96>, 2, 2>)
