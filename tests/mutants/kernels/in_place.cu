// SPDX-License-Identifier: Apache-2.0
// Tiles that are written over in their stage and stored from there.
#include <tilepipe/tile_storer.cuh>

#include "kernels.cuh"
#include "reuse.cuh"

struct Last {
  static constexpr bool value = true;
};
struct NotLast {
  static constexpr bool value = false;
};

// Where element i of tile t is written: neighbours by other threads in each tile.
template <class Pipe, class F>
__device__ void each(const Pipe& pipe, int t, F&& f) {
  for (int k = 0, i = (pipe.rank() + 5 * t) % pipe.size(); i < Vector::size; ++k, i += pipe.size())
    f(k, i);
}

struct AtOnce {
  __device__ void operator()() const {}
};
// The tile is read, element by element from where other threads have loaded it, and then, a while
// later perhaps, written over; what this thread wrote stays in `value`.
template <class Pipe, class Tile, class Late = AtOnce>
__device__ void write_over(Pipe& pipe, int t, Word factor, Tile& x, Word (&value)[16],
                           const Late& late = {}) {
  each(pipe, t, [&](int k, int i) { value[k] = factor * x[turned<Tile::size>(i)]; });
  pipe.sync();
  late();
  each(pipe, t, [&](int k, int i) { x[i] = value[k]; });
}

// Tile by tile in turns: stored last, twice; stored and read again; not stored by the pipeline. The
// first half of the tiles is not yet multiplied, but where it lies after the drain. When the scope
// of the pipeline ends the stages are used for something else.
template <class Team, class Policy, int Stages, class Tile, class Load, class Store>
__device__ void in_place(Arguments v) {
  constexpr int teams = teams_of<Team>;
  __shared__ tilepipe::Ring<One<Tile>, Stages> ring[teams];
  poison(ring, teams, v.seed);
  const int team = team_in_block<Team>();
  const long long first = (1ll * blockIdx.x * teams + team) * v.tiles;
  constexpr bool line = Tile::rank == 1;
  {
    Load load = [&] {
      if constexpr (line)
        return Load{v.in};
      else
        return Load{v.in, 1ll << 40, Tile::cols, Tile::cols};
    }();
    Store store = [&] {
      if constexpr (line)
        return Store{v.out};
      else
        return Store{v.out, 1ll << 40, Tile::cols, Tile::cols};
    }();
    tilepipe::Pipeline pipe{ring[team], Team{}, Policy{}, load, store};
    const auto filled = [&](Tile& x, long long tile) {
      if constexpr (line)
        pipe.fill(load, x, tile * Tile::size);
      else
        pipe.fill(load, x, tile * Tile::rows, 0);
    };
    const auto stored = [&](auto last, const Tile& x, long long tile) {
      if constexpr (line && last.value)
        pipe.store_last(store, x, tile * Tile::size);
      else if constexpr (line)
        pipe.store(store, x, tile * Tile::size);
      else if constexpr (last.value)
        pipe.store_last(store, x, tile * Tile::rows, 0);
      else
        pipe.store(store, x, tile * Tile::rows, 0);
    };
    const auto run = [&](int begin, int end, Word factor) {
      pipe.run(
          end - begin,
          [&](One<Tile>& s, int t) {
            maybe_late(v.seed, begin + t, before_load);
            filled(s.x, first + begin + t);
          },
          [&](One<Tile>& s, int t) {
            const long long tile = first + begin + t;
            Word value[16];
            write_over(pipe, t, factor, s.x, value,
                       [&] { maybe_late(v.seed, begin + t, before_read); });
            if (t % 4 < 2) return stored(Last{}, s.x, tile);
            if (t % 4 == 2) stored(NotLast{}, s.x, tile);
            maybe_late(v.seed, begin + t, before_start);
            each(pipe, t, [&](int k, int i) {
              if (t % 4 == 3 || s.x[i] != value[k]) v.out[tile * Tile::size + i] = s.x[i];
            });
          });
      pipe.drain();
    };
    const int half = v.tiles / 2;
    run(0, half, 1);
    if (!pipe.is_producer())
      for (int i = half * Tile::size - 1 - pipe.rank(); i >= 0; i -= pipe.size())
        v.out[first * Tile::size + i] *= 3;
    pipe.resume();
    run(half, v.tiles > half ? v.tiles - 1 : half, 3);
    // The last tile is not drained.
    pipe.run(
        v.tiles > half ? 1 : 0, [&](One<Tile>& s, int) { filled(s.x, first + v.tiles - 1); },
        [&](One<Tile>& s, int t) {
          Word value[16];
          write_over(pipe, t, 3, s.x, value);
          stored(Last{}, s.x, first + v.tiles - 1);
        });
  }
  asm volatile("barrier.sync 14;" ::: "memory");  // 15 is that of computing threads
  write_stages(ring[team].stage, v.seed, v.tiles);
}

// By the verbs: a stage stays held while the next one is stored.
template <class Team, class Policy, int Stages, class Load>
__device__ void held_in_place(Arguments v) {
  __shared__ tilepipe::Ring<One<Vector>, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  Load load{v.in};
  tilepipe::TileStorer<Vector> store{v.out};
  tilepipe::Pipeline pipe{ring[0], Team{}, Policy{}, load, store};
  const auto fill = [&](int t) {
    One<Vector>& s = pipe.producer_acquire();
    maybe_late(v.seed, t, before_load);
    pipe.fill(load, s.x, (first + t) * Vector::size);
    pipe.producer_commit();
  };
  int filled = 0;
  if (pipe.is_producer())
    while (filled < v.tiles) fill(filled++);
  else
    for (int t = 0; t < v.tiles; ++t) {
      constexpr bool loads = Team::kind != tilepipe::TeamKind::specialized;
      while (loads && filled < v.tiles && filled < t + Stages - 1) fill(filled++);
      One<Vector>& s = pipe.consumer_wait(tilepipe::writable);
      Word value[16];
      write_over(pipe, t, 3, s.x, value, [&] { maybe_late(v.seed, t, before_read); });
      pipe.store(store, s.x, (first + t) * Vector::size);
      if (t > 0) pipe.consumer_release();
      if (t + 1 == v.tiles) pipe.consumer_release();
    }
  pipe.drain();
}

// By the verbs: of two held stages the older one is stored last, the other one is read alone, and
// both are released.
template <class Team, int Stages>
__device__ void pairs_in_place(Arguments v) {
  __shared__ tilepipe::Ring<One<Vector>, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  tilepipe::TileLoader<Vector> load{v.in};
  tilepipe::TileStorer<Vector> store{v.out};
  tilepipe::Pipeline pipe{ring[0], Team{}, load, store};
  int filled = 0;
  for (int t = 0; t < v.tiles; t += 2) {
    for (; filled < v.tiles && filled < t + Stages; ++filled) {
      pipe.fill(load, pipe.producer_acquire().x, (first + filled) * Vector::size);
      pipe.producer_commit();
    }
    One<Vector>& a = pipe.consumer_wait(tilepipe::writable);
    const One<Vector>* b = t + 1 < v.tiles ? &pipe.consumer_wait() : nullptr;
    Word value[16];
    write_over(pipe, t, 3, a.x, value);
    pipe.store_last(store, a.x, (first + t) * Vector::size);
    pipe.consumer_release();
    if (b == nullptr) break;
    maybe_late(v.seed, t, before_read);
    emit(pipe, b->x, v.out + (first + t + 1) * Vector::size);
    pipe.consumer_release();
  }
  pipe.drain();
}

// The first tile is stored last from a stage that is held when the pipeline is drained; the others
// are read alone.
template <class Team, int Stages>
__device__ void dropped(Arguments v) {
  __shared__ tilepipe::Ring<One<Vector>, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  tilepipe::TileLoader<Vector> load{v.in};
  tilepipe::TileStorer<Vector> store{v.out};
  tilepipe::Pipeline pipe{ring[0], Team{}, load, store};
  if (v.tiles == 0) return;
  pipe.fill(load, pipe.producer_acquire().x, first * Vector::size);
  pipe.producer_commit();
  One<Vector>& s = pipe.consumer_wait(tilepipe::writable);
  Word value[16];
  write_over(pipe, 0, 3, s.x, value);
  pipe.store_last(store, s.x, first * Vector::size);
  pipe.drain();
  pipe.resume();
  pipe.run(
      v.tiles - 1,
      [&](One<Vector>& next, int t) { pipe.fill(load, next.x, (first + 1 + t) * Vector::size); },
      [&](const One<Vector>& next, int t) {
        maybe_late(v.seed, t, before_read);
        emit(pipe, next.x, v.out + (first + 1 + t) * Vector::size);
      });
}

// The first part of a stage is stored last before the second one, which is the same, is waited for.
template <class Team, int Stages>
__device__ void before_part(Arguments v) {
  using Stage = Two<Vector>;
  __shared__ tilepipe::Ring<Stage, Stages, 2> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  tilepipe::TileLoader<Vector> load{v.in};
  tilepipe::TileStorer<Vector> store{v.out};
  tilepipe::Pipeline pipe{ring[0], Team{}, load, store};
  pipe.run(
      v.tiles,
      [&](Stage& s, int t) {
        pipe.fill(load, s.a, (first + t) * Vector::size);
        pipe.producer_commit();
        maybe_late(v.seed, t, before_load);
        pipe.fill(load, s.b, (first + t) * Vector::size);
      },
      [&](Stage& s, int t) {
        Word value[16];
        write_over(pipe, t, 3, s.a, value);
        pipe.store_last(store, s.a, (first + t) * Vector::size);
        pipe.consumer_wait();
        maybe_late(v.seed, t, before_read);
        each(pipe, t, [&](int k, int i) {
          if (3 * s.b[turned<Vector::size>(i)] != value[k])
            v.out[(first + t) * Vector::size + i] = 0;
        });
      });
}

using Line = tilepipe::TileLoader<Vector>;
template <class Team, class Policy, int Stages, class... Options>
__device__ void lines(Arguments v) {
  in_place<Team, Policy, Stages, Vector, tilepipe::TileLoader<Vector, Options...>,
           tilepipe::TileStorer<Vector>>(v);
}

using Team = tilepipe::Block<128>;
using Roles = tilepipe::Specialized<32, 96>;
KERNEL(in_place_s1__t128u1e512_exact, lines<Team, Default, 1>)
KERNEL(in_place_s2__t128u1e512_exact, lines<Team, Default, 2>)
KERNEL(in_place_s3__t128u1e512_exact, lines<Team, Default, 3>)
KERNEL(in_place_warp_s2__t64u2e512_exact, lines<tilepipe::Warp, Default, 2>)
KERNEL(in_place_roles_s2__t128u1e512_exact, lines<Roles, Default, 2>)
KERNEL(in_place_groups_s1__t128u1e512_exact, lines<Team, By<groups>, 1, Via<cp_async>>)
KERNEL(in_place_groups_s3__t128u1e512_exact, lines<Team, By<groups>, 3, Via<cp_async>>)
KERNEL(in_place_mbarrier_s2__t128u1e512_exact, lines<Team, By<mbarrier>, 2, Via<cp_async>>)
KERNEL(in_place_dropped_s1__t128u1e512_exact, dropped<Team, 1>)
KERNEL(in_place_dropped_s2__t128u1e512_exact, dropped<Team, 2>)
KERNEL(in_place_before_part_s2__t128u1e512_exact, before_part<Team, 2>)
KERNEL(in_place_pairs_s2__t128u1e512_exact, pairs_in_place<Team, 2>)
KERNEL(in_place_pairs_s3__t128u1e512_exact, pairs_in_place<Team, 3>)
KERNEL(in_place_held_s3__t128u1e512_exact, held_in_place<Team, Default, 3, Line>)
KERNEL(in_place_held_roles_s3__t128u1e512_exact, held_in_place<Roles, Default, 3, Line>)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
KERNEL(in_place_rows_loaded_s2__t128u1e512_exact,
       in_place<Team, Default, 2, Matrix, tilepipe::TileLoader<Matrix, Via<bulk>>,
                tilepipe::TileStorer<Matrix, tilepipe::Packed>>)
KERNEL(in_place_rows_stored_s2__t128u1e512_exact,
       in_place<Team, Default, 2, Matrix, tilepipe::TileLoader<Matrix, tilepipe::Packed>,
                tilepipe::TileStorer<Matrix, Via<bulk>>>)
#endif
