// SPDX-License-Identifier: Apache-2.0
// Copies through registers: loads issued early, stores made late.
#pragma once

#include "../core/copy_plan.hpp"
#include "../core/path.hpp"
#include "rows.cuh"

TILEPIPE_NAMESPACE_BEGIN

// Width bytes as one register value that moves by one instruction.
template <int Width>
struct RawOf;
template <>
struct RawOf<16> {
  using type = uint4;
};
template <>
struct RawOf<8> {
  using type = uint2;
};
template <>
struct RawOf<4> {
  using type = unsigned;
};
template <>
struct RawOf<2> {
  using type = unsigned short;
};
template <>
struct RawOf<1> {
  using type = unsigned char;
};
template <int Width>
using Raw = typename RawOf<Width>::type;

// from: global, to: shared, both aligned to Width.
template <int Width>
TILEPIPE_D Raw<Width> load_raw(const unsigned char* from) {
  return *reinterpret_cast<const Raw<Width>*>(from);
}
template <int Width>
TILEPIPE_D void store_raw(unsigned char* to, Raw<Width> value) {
  *reinterpret_cast<Raw<Width>*>(to) = value;
}

// The first n of Width bytes at from, zeros behind them, where a source ends within a chunk: which
// it does only where an element is no whole number of chunks. Assembled in registers: a value
// indexed by byte would live in local memory.
template <int Width, int ElementBytes>
TILEPIPE_D Raw<Width> load_raw_cut([[maybe_unused]] const unsigned char* from,
                                   [[maybe_unused]] int n) {
  if constexpr (ElementBytes % Width != 0) {
    unsigned long long low = 0;
    [[maybe_unused]] unsigned long long high = 0;
    for (int i = 0; i < n; ++i) {
      const unsigned long long byte = from[i];
      if (i < 8)
        low |= byte << (8 * i);
      else
        high |= byte << (8 * (i - 8));
    }
    if constexpr (Width == 16)
      return uint4{static_cast<unsigned>(low), static_cast<unsigned>(low >> 32),
                   static_cast<unsigned>(high), static_cast<unsigned>(high >> 32)};
    else if constexpr (Width == 8)
      return uint2{static_cast<unsigned>(low), static_cast<unsigned>(low >> 32)};
    else
      return static_cast<Raw<Width>>(low);
  } else {
    return Raw<Width>{};
  }
}

// n single bytes, of any alignment.
TILEPIPE_D void copy_bytes(unsigned char* to, const unsigned char* from, int n) {
  for (int i = 0; i < n; ++i) to[i] = from[i];
}

// The chunks of one tile that a thread has on the way: fetch() issues their loads, store() writes
// them to shared memory. Traits: LoaderTraits of the tile. Chunks beyond the registers set aside
// are copied at once.
template <class Traits>
class Fragments {
  using Tile = typename Traits::Tile;
  using Plan = typename Traits::Plan;
  using Chunk = typename Plan::Chunk;
  static constexpr int width = Traits::width;
  static constexpr int element = static_cast<int>(sizeof(typename Tile::value_type));
  static constexpr Edge edge = Traits::config.edge;

 public:
  TILEPIPE_D bool pending() const { return pending_; }
  // Whether values are on the way to another tile than this one.
  TILEPIPE_D bool pending_elsewhere(const Tile& tile) const { return pending_ && tile_ != &tile; }

  template <class Slice, int G, class Rows>
  TILEPIPE_D void fetch(ThreadGroup<G> group, Tile& tile, const Rows& rows, ByteRange inside) {
    constexpr bool all = Slice::count == 1 && edge != Edge::skip;
    if (all)
      keep_ = ~0u;
    else if (!pending_)
      keep_ = 0;
    tile_ = &tile;
    pending_ = true;
    for_kept<Slice>(group, [&](int step, const Chunk& chunk) {
      const RowPlace place = rows(chunk.top(), chunk.below);
      const int n = bytes_of(place, inside, chunk);
      if (edge != Edge::skip || n == width) keep_ |= 1u << step;
      if (n == width) {
        value_[step] = load_raw<width>(chunk.in(place.start));
      } else if constexpr (edge == Edge::zero_fill) {
        value_[step] = load_raw_cut<width, element>(chunk.in(place.start), n);
      } else if constexpr (edge == Edge::skip) {
        copy_bytes(tile.storage + Traits::offset(chunk), chunk.in(place.start), n);
      }
    });
    if constexpr (G == 0 || Traits::fragments * max_of(G, 1) < Plan::chunks) {
      Plan::template for_each<Slice, Traits::fragments>(group, [&](const Chunk& chunk) {
        const RowPlace place = rows(chunk.top(), chunk.below);
        unsigned char* to = tile.storage + Traits::offset(chunk);
        const int n = bytes_of(place, inside, chunk);
        if (n == width)
          store_raw<width>(to, load_raw<width>(chunk.in(place.start)));
        else if constexpr (edge == Edge::zero_fill)
          store_raw<width>(to, load_raw_cut<width, element>(chunk.in(place.start), n));
        else if constexpr (edge == Edge::skip)
          copy_bytes(to, chunk.in(place.start), n);
      });
    }
  }

  template <int G>
  TILEPIPE_D void store(ThreadGroup<G> group) {
    if (!pending_) return;
    for_kept<Whole>(group, [&](int step, const Chunk& chunk) {
      if ((keep_ >> step & 1u) != 0)
        store_raw<width>(tile_->storage + Traits::offset(chunk), value_[step]);
    });
    pending_ = false;
  }

 private:
  // Bytes of a chunk that are in the source.
  static TILEPIPE_D int bytes_of(const RowPlace& place, ByteRange inside, const Chunk& chunk) {
    if (edge == Edge::exact) return width;
    if (element % width == 0)
      return place.present && inside.template whole<width>(chunk.start()) ? width : 0;
    return place.present ? inside.template prefix<width>(chunk.start()) : 0;
  }
  // Unrolled in full, so that each value is a register.
  template <class Slice, int G, class F>
  static TILEPIPE_D void for_kept(ThreadGroup<G> group, F&& f) {
    constexpr int steps = min_of(Traits::fragments, Plan::steps(max_of(G, 1)));
    const int all = Plan::steps(group.size());
    const int begin = Slice::begin(all), end = Slice::end(all);
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      if (step < begin || step >= end || !Plan::has(group, step)) continue;
      f(step, Plan::chunk(group, step));
    }
  }

  Raw<width> value_[Traits::fragments];
  unsigned keep_ = ~0u;   // which values belong to the tile: not those skipped, or of other slices
  Tile* tile_ = nullptr;  // where they go
  bool pending_ = false;  // some are on the way
};

TILEPIPE_NAMESPACE_END
