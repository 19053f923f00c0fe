// SPDX-License-Identifier: Apache-2.0
// The memory of a ring before, between and behind its pipelines' runs.
#pragma once

#include "kernels.cuh"

// What is written to the stages last before a pipeline is made on them, warps late at random.
template <class Stage, int Stages>
__device__ void write_stages(Stage (&stages)[Stages], unsigned seed, int t) {
  maybe_late(seed, t, before_start + 8, 12000);
  for (int i = threadIdx.x; i < static_cast<int>(sizeof(stages) / 4); i += blockDim.x)
    reinterpret_cast<Word*>(stages)[i] = 0xdeadbeefu;
}

// The drained stages' memory is used for something else, written by other threads than those that
// copy. What is wrong goes to *wrong.
template <class Stage, int Stages>
__device__ void use_memory(Stage (&stages)[Stages], unsigned seed, int t, Word* wrong) {
  Word* word = reinterpret_cast<Word*>(stages);
  constexpr int words = static_cast<int>(sizeof(stages) / 4);
  maybe_late(seed, t, before_load + 16);
  for (int i = threadIdx.x; i < words; i += blockDim.x) word[i] = 0x5a5a0000u + i;
  own_barrier();
  maybe_late(seed, t, before_read + 16);
  unsigned different = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x)
    different |= word[words - 1 - i] ^ (0x5a5a0000u + words - 1 - i);
  if (different != 0) *wrong = 1;
  maybe_late(seed, t, before_load + 32);
}

template <class Team>
inline constexpr bool has_roles = Team::kind == tilepipe::TeamKind::specialized;

// A barrier among the threads that load; not the library's.
template <class Team>
__device__ void loaders_meet() {
  if constexpr (has_roles<Team>)
    asm volatile("barrier.sync 14, %0;" ::"n"(Team::loading_threads) : "memory");
  else
    own_barrier();
}

// The threads that load write the output, from what they have copied to the stages 0 .. count - 1.
template <class Team, class Ring>
__device__ void emit_landed(const Ring& ring, int count, Word* out) {
  loaders_meet<Team>();
  for (int t = 0; t < count; ++t)
    for (int i = Team{}.loading_rank(); i < Vector::size; i += Team::loading_threads)
      out[t * Vector::size + i] = 3 * ring.stage[t].x[turned<Vector::size>(i)];
  loaders_meet<Team>();
}

// Roles: runs of as many tiles as the ring has stages. Behind each, what the loading threads issued
// has landed, though nobody computes with it.
template <class Loader, class Ring, class Team, class Policy>
__device__ void landed(Arguments v, Ring& ring, const Team& team, const Policy& policy) {
  using Stage = One<Vector>;
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring, team, policy, load};
  for (int begin = 0; begin < v.tiles; begin += Ring::stages) {
    const int count = v.tiles - begin < Ring::stages ? v.tiles - begin : Ring::stages;
    const long long first = (1ll * blockIdx.x * v.tiles + begin) * Vector::size;
    pipe.run(
        count, [&](Stage& s, int t) { pipe.fill(load, s.x, first + t * Vector::size); },
        [&](const Stage&, int t) { maybe_late(v.seed, begin + t, before_read); });
    if (pipe.is_producer()) emit_landed<Team>(ring, count, v.out + first);
  }
}

// The last tiles are filled, the very last one not committed, and the pipeline is left.
template <class Loader, class Ring, class Team, class Policy>
__device__ void left_in_flight(Arguments v, Ring& ring, const Team& team, const Policy& policy) {
  constexpr int stages = Ring::stages;
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring, team, policy, load};
  const int before = v.tiles < stages ? 0 : (v.tiles - stages) / stages * stages;
  const long long first = 1ll * blockIdx.x * v.tiles * Vector::size;
  pipe.run(
      before, [&](One<Vector>& s, int t) { pipe.fill(load, s.x, first + t * Vector::size); },
      [&](const One<Vector>& s, int t) {
        maybe_late(v.seed, t, before_read);
        emit(pipe, s.x, v.out + first + t * Vector::size);
      });
  for (int begin = before; begin < v.tiles; begin += stages) {
    const int end = v.tiles - begin < stages ? v.tiles : begin + stages;
    if (has_roles<Team> && !pipe.is_producer()) {
      if (end == v.tiles) pipe.leave();
      for (int t = begin; end < v.tiles && t < end; ++t) {
        emit(pipe, pipe.consumer_wait().x, v.out + first + t * Vector::size);
        pipe.consumer_release();
      }
    } else {
      for (int t = begin; t < end; ++t) {
        pipe.fill(load, pipe.producer_acquire().x, first + t * Vector::size);
        if (t + 1 < v.tiles) pipe.producer_commit();
      }
      if (end == v.tiles) {
        pipe.leave();
        emit_landed<Team>(ring, end - begin, v.out + first + begin * Vector::size);
      }
      for (int t = begin; !has_roles<Team> && end < v.tiles && t < end; ++t) {
        emit(pipe, pipe.consumer_wait().x, v.out + first + t * Vector::size);
        pipe.consumer_release();
      }
    }
  }
}

// Two runs. In between a stage is filled and dropped, and the memory used for something else.
template <class Loader, class Ring, class Team, class Policy>
__device__ void two_runs(Arguments v, Ring& ring, const Team& team, const Policy& policy) {
  using Stage = One<typename Loader::TileType>;
  constexpr int size = Loader::TileType::size;
  const long long first = 1ll * blockIdx.x * v.tiles;
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring, team, policy, load};
  const auto run = [&](int begin, int end) {
    pipe.run(
        end - begin,
        [&](Stage& s, int t) {
          maybe_late(v.seed, begin + t, before_load);
          pipe.fill(load, s.x, (first + begin + t) * size);
        },
        [&](const Stage& s, int t) {
          maybe_late(v.seed, begin + t, before_read);
          emit(pipe, s.x, v.out + (first + begin + t) * size);
        });
  };
  run(0, v.tiles / 2);
  if (!has_roles<Team> || pipe.is_producer()) {
    pipe.fill(load, pipe.producer_acquire().x, first * size);
    pipe.producer_commit();
  }
  pipe.drain();
  if (v.tiles > 1) use_memory(ring.stage, v.seed, 0, v.out + first * size);
  pipe.resume();
  run(v.tiles / 2, v.tiles);
}
