// SPDX-License-Identifier: Apache-2.0
// Copy plans: which thread copies which bytes of a tile.
#pragma once

#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

// Part Index of Count equal parts of a tile's copies, to be issued one by one between steps of a
// computation.
template <int Index, int Count>
struct Slice {
  static_assert(Count >= 1 && Index >= 0 && Index < Count,
                "tilepipe::slice<Index, Count>: Index must be 0..Count-1");
  static constexpr int index = Index;
  static constexpr int count = Count;
  // The first and one past the last of n things that belong to the slice.
  static TILEPIPE_HD constexpr int begin(int n) {
    return static_cast<int>(index_t{n} * Index / Count);
  }
  static TILEPIPE_HD constexpr int end(int n) {
    return static_cast<int>(index_t{n} * (Index + 1) / Count);
  }
};
template <int Index, int Count>
inline constexpr Slice<Index, Count> slice{};
using Whole = Slice<0, 1>;

// The threads that copy together: rank and number. StaticSize is 0 where the number is known at run
// time only.
template <int StaticSize>
struct ThreadGroup {
  static constexpr int static_size = StaticSize;
  int rank;
  int run_time_size;
  TILEPIPE_HD constexpr int size() const { return StaticSize > 0 ? StaticSize : run_time_size; }
};

// A tile cut into chunks of Width bytes, row by row; chunk number step * size + rank belongs to
// thread rank. Neighbouring threads copy neighbouring bytes.
template <int Rows, int RowBytes, int Width>
struct ChunkPlan {
  static_assert(RowBytes % Width == 0,
                "tilepipe::ChunkPlan: a row must be a multiple of the chunk's width");
  static constexpr int per_row = RowBytes / Width;
  static constexpr int chunks = Rows * per_row;

  // Starts at byte + beyond of its row, which is `below` rows under the row top(). Kept apart,
  // since beyond and below are constants where the steps are unrolled: then all steps share one
  // address, and the instruction holds the distance.
  struct Chunk {
    int row;
    int byte;
    int beyond;
    int below = 0;
    TILEPIPE_HD constexpr int top() const { return row - below; }
    TILEPIPE_HD constexpr int start() const { return byte + beyond; }
    template <class Byte>
    TILEPIPE_HD constexpr Byte* in(Byte* row_start) const {
      return row_start + byte + beyond;
    }
  };

  static TILEPIPE_HD constexpr int steps(int size) { return ceil_div(chunks, size); }
  // Whether the step of a group of static size leaves some threads without a chunk.
  static TILEPIPE_HD constexpr bool partial(int step, int static_size) {
    return static_size == 0 || (step + 1) * static_size > chunks;
  }
  template <int StaticSize>
  static TILEPIPE_HD constexpr bool has(ThreadGroup<StaticSize> group, int step) {
    return !partial(step, StaticSize) || step * group.size() + group.rank < chunks;
  }
  template <int StaticSize>
  static TILEPIPE_HD constexpr Chunk chunk(ThreadGroup<StaticSize> group, int step) {
    if constexpr (Rows == 1) {
      return {0, group.rank * Width, step * group.size() * Width};
    } else if constexpr (StaticSize > 0 && StaticSize % per_row == 0) {
      // The column does not depend on the step: one address, and a constant distance from step to
      // step.
      const int below = step * (StaticSize / per_row);
      return {group.rank / per_row + below, group.rank % per_row * Width, 0, below};
    } else {
      return numbered(step * group.size() + group.rank);
    }
  }

  // f(chunk) for the calling thread's chunks among those of a slice, from step First on. Unrolled
  // where the group's size is known and the steps are few.
  template <class Slice, int First = 0, int StaticSize, class F>
  static TILEPIPE_HD constexpr void for_each(ThreadGroup<StaticSize> group, F&& f) {
    if constexpr (StaticSize > 0) {
      constexpr int begin = max_of(First, Slice::begin(steps(StaticSize)));
      constexpr int end = Slice::end(steps(StaticSize));
      if constexpr (end - begin <= 32) {
        TILEPIPE_UNROLL
        for (int step = begin; step < end; ++step) visit(group, step, f);
      } else {
        for (int step = begin; step < end; ++step) visit(group, step, f);
      }
    } else if constexpr (Slice::count == 1) {
      // Unrolled, it would divide by the group's size at each tile, to know how often it runs.
      TILEPIPE_NO_UNROLL
      for (int i = First * group.size() + group.rank; i < chunks; i += group.size()) f(numbered(i));
    } else {
      const int begin = max_of(First, Slice::begin(steps(group.size())));
      const int end = Slice::end(steps(group.size()));
      for (int step = begin; step < end; ++step) visit(group, step, f);
    }
  }

 private:
  // Chunk i of the tile: as an unsigned number, whose division is a shift or a multiplication, and
  // not divided where there is one row.
  static TILEPIPE_HD constexpr Chunk numbered(int i) {
    if (Rows == 1) return {0, i * Width, 0};
    const unsigned chunk = static_cast<unsigned>(i);
    return {static_cast<int>(chunk / per_row), static_cast<int>(chunk % per_row) * Width, 0};
  }
  template <int StaticSize, class F>
  static TILEPIPE_HD constexpr void visit(ThreadGroup<StaticSize> group, int step, F&& f) {
    if (!has(group, step)) return;
    f(chunk(group, step));
  }
};

// A run of bytes between two places of any alignment: head single bytes, body chunks of width bytes
// aligned in both places, tail single bytes. Width is the widest of 16, 8, 4, 2, 1 that both places
// can be aligned to together.
struct RunPlan {
  int width;
  index_t head;
  index_t body;
  index_t tail;
};
TILEPIPE_HD constexpr RunPlan plan_run(unsigned long long to, unsigned long long from,
                                       index_t bytes) {
  int width = 16;
  while ((to - from) % static_cast<unsigned>(width) != 0) width /= 2;
  index_t head = static_cast<index_t>((0 - to) % static_cast<unsigned>(width));
  if (head > bytes) head = bytes;
  const index_t body = (bytes - head) / width;
  return {width, head, body, bytes - head - body * width};
}

TILEPIPE_NAMESPACE_END
