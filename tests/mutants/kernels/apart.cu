// SPDX-License-Identifier: Apache-2.0
// Lanes that go apart: one lane of each warp has loops of its own, in which it is late. From
// compute capability 7.0 a warp's barrier waits for its lanes wherever they are. So what orders
// them by luck, because the lanes of a warp usually run together, shows. An election has no place
// for that: the loading threads of bulk copies are two warps here, and their first thread issues.
#include "kernels.cuh"

template <bool Value>
struct Flag {
  static constexpr bool value = Value;
};

// Roles by the verbs.
template <class Team, int Stages, class Loader>
__device__ void apart(Arguments v) {
  using Tile = typename Loader::TileType;
  constexpr bool cut = Loader::config.edge == tilepipe::Edge::skip;
  __shared__ tilepipe::Ring<One<Tile>, Stages> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  const int pitch = cut ? v.tiles * Tile::cols : Tile::cols;
  const int rows = static_cast<int>(gridDim.x) * (cut ? 1 : v.tiles) * Tile::rows - (cut ? 5 : 0);
  Loader load{v.in, rows, pitch - (cut ? 6 : 0), pitch};
  tilepipe::Pipeline pipe{ring[0], Team{}, load};
  const auto produce = [&](auto alone) {
    const auto late = [&](int t, unsigned salt) {
      if constexpr (decltype(alone)::value) maybe_late(v.seed, t, salt, 12000);
    };
    for (int t = 0; t < v.tiles; ++t) {
      late(t, before_load);
      One<Tile>& s = pipe.producer_acquire();
      late(t, before_load + 8);
      if constexpr (cut)
        pipe.fill(load, s.x, static_cast<int>(blockIdx.x) * Tile::rows - 2, t * Tile::cols - 4);
      else
        pipe.fill(load, s.x, (first + t) * Tile::rows, 0);
      pipe.producer_commit();
    }
  };
  const auto consume = [&](auto alone) {
    for (int t = 0; t < v.tiles; ++t) {
      const One<Tile>& s = pipe.consumer_wait();
      if constexpr (decltype(alone)::value) maybe_late(v.seed, t, before_read, 12000);
      emit(pipe, s.x, v.out + (first + t) * Tile::size);
      pipe.consumer_release();
    }
  };
  // Of 16 rows lane 21 issues none: nothing tells of it but barriers.
  const bool alone = threadIdx.x % 32 == (cut ? 5 : 21);
  if (pipe.is_producer())
    alone ? produce(Flag<true>{}) : produce(Flag<false>{});
  else
    alone ? consume(Flag<true>{}) : consume(Flag<false>{});
}

// run() that compute ends after some tiles, again and again. The lanes that load call load as often
// as each other.
template <class Team, int Stages, class Loader>
__device__ void stopped_apart(Arguments v) {
  __shared__ tilepipe::Ring<One<Vector>, Stages> ring[1];
  __shared__ int calls[2];
  if (threadIdx.x < 2) calls[threadIdx.x] = 0;
  poison(ring, 1, v.seed);
  Loader load{v.in};
  tilepipe::Pipeline pipe{ring[0], Team{}, load};
  const bool alone = threadIdx.x % 32 == 21;
  int most = 0;
  for (int begin = 0, length = 1; begin < v.tiles; begin += most, length = 11 - length) {
    most = v.tiles - begin < length ? v.tiles - begin : length;
    const long long first = 1ll * blockIdx.x * v.tiles;
    const auto run = [&](auto late) {
      int called = 0;
      pipe.run(
          most + 20,
          [&](One<Vector>& s, int t) {
            if constexpr (decltype(late)::value) maybe_late(v.seed, begin + t, before_load, 12000);
            pipe.fill(load, s.x, (first + (begin + t) % v.tiles) * Vector::size);
            ++called;
          },
          [&](const One<Vector>& s, int t) {
            maybe_late(v.seed, begin + t, before_read);
            emit(pipe, s.x, v.out + (first + begin + t) * Vector::size);
            return t + 1 == most ? tilepipe::stop : tilepipe::go;
          });
      if (called > 0 && threadIdx.x % 32 == (decltype(late)::value ? 21 : 0))
        calls[decltype(late)::value] += called;
    };
    alone ? run(Flag<true>{}) : run(Flag<false>{});
  }
  own_barrier();
  if (threadIdx.x == 0 && calls[0] != calls[1] && v.tiles > 0)
    v.out[1ll * blockIdx.x * v.tiles * Vector::size] = 1;
}

using Roles = tilepipe::Specialized<32, 96>;
using WideRoles = tilepipe::Specialized<64, 64>;
template <class... Options>
using Rows = tilepipe::TileLoader<Matrix, Options...>;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
KERNEL(apart_registers__t128u1e512_exact, apart<Roles, 2, Rows<Via<registers>>>)
KERNEL(apart_cp_async__t128u1e512_exact, apart<WideRoles, 2, Rows<Via<cp_async>>>)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// One thread issues; a warp does; a warp does, each lane with the bytes that it expects.
KERNEL(apart_bulk__t128u1e512_exact, apart<WideRoles, 2, Rows<tilepipe::Packed, Via<bulk>>>)
KERNEL(apart_stop__t128u1e512_exact,
       stopped_apart<WideRoles, 2, tilepipe::TileLoader<Vector, Via<bulk>>>)
KERNEL(apart_bulk_rows__t128u1e512_exact, apart<WideRoles, 2, Rows<Via<bulk>>>)
KERNEL(apart_bulk_skip__t128u1e512_skip, apart<WideRoles, 2, Rows<tilepipe::Skip, Via<bulk>>>)
#endif
