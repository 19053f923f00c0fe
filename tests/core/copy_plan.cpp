// SPDX-License-Identifier: Apache-2.0
// Tests of copy plans: chunks, slices and runs cover every byte once, and nothing else.
#include <tilepipe/core/copy_plan.hpp>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;

// A plan without its types, so that the checks below are compiled once.
struct Plan {
  int rows, row_bytes, width;
  int static_size;  // 0: known at run time only
  int (*steps)(int size);
  bool (*partial)(int step, int size);
  bool (*has)(int rank, int size, int step);
  void (*chunk)(int rank, int size, int step, int& row, int& start);
};
template <int Rows, int RowBytes, int Width, int StaticSize>
constexpr Plan make_plan() {
  using P = ChunkPlan<Rows, RowBytes, Width>;
  static_assert(P::chunks * Width == Rows * RowBytes, "");
  using Group = ThreadGroup<StaticSize>;
  // Where the size is static, nothing else may be looked at.
  return {Rows,
          RowBytes,
          Width,
          StaticSize,
          [](int size) { return P::steps(size); },
          [](int step, int size) { return P::partial(step, size); },
          [](int rank, int size, int step) {
            return P::has(Group{rank, StaticSize > 0 ? -1 : size}, step);
          },
          [](int rank, int size, int step, int& row, int& start) {
            const auto chunk = P::chunk(Group{rank, StaticSize > 0 ? -1 : size}, step);
            row = chunk.row;
            start = chunk.start();
          }};
}

// All threads of a group copy all their chunks: each byte once, neighbours by neighbours.
void copy_tile(Tally& tally, const Plan& plan, int threads) {
  const int bytes = plan.rows * plan.row_bytes;
  std::vector<int> copied(bytes, 0);
  int steps = 0;
  while (steps * threads * plan.width < bytes) ++steps;
  tally.expect(plan.steps(threads) == steps, "steps",
               {plan.rows, plan.row_bytes, plan.width, threads});
  for (int step = 0; step < steps; ++step) {
    const bool partial = plan.static_size == 0 || (step + 1) * threads * plan.width > bytes;
    tally.expect(plan.partial(step, plan.static_size) == partial, "partial",
                 {plan.rows, plan.row_bytes, plan.width, threads, step});
    for (int rank = 0; rank < threads; ++rank) {
      const int first = (step * threads + rank) * plan.width;
      tally.expect(plan.has(rank, threads, step) == (first < bytes), "has",
                   {plan.rows, plan.row_bytes, plan.width, threads, rank, step});
      if (first >= bytes) continue;
      int row = -1;
      int start = -1;
      plan.chunk(rank, threads, step, row, start);
      tally.expect(row * plan.row_bytes + start == first && start % plan.width == 0 && start >= 0 &&
                       start + plan.width <= plan.row_bytes,
                   "chunk", {plan.rows, plan.row_bytes, plan.width, threads, rank, step});
      for (int at = row * plan.row_bytes + start, b = 0; b < plan.width; ++b)
        if (at + b >= 0 && at + b < bytes) ++copied[at + b];
    }
  }
  for (int at = 0; at < bytes; ++at)
    tally.expect(copied[at] == 1, "covered once",
                 {plan.rows, plan.row_bytes, plan.width, threads, at});
}

template <int Rows, int RowBytes, int Width>
void widths(Tally& tally) {
  if constexpr (RowBytes % Width == 0) {
    for (int threads = 1; threads <= 40; ++threads)
      copy_tile(tally, make_plan<Rows, RowBytes, Width, 0>(), threads);
    copy_tile(tally, make_plan<Rows, RowBytes, Width, 0>(), 1024);
    copy_tile(tally, make_plan<Rows, RowBytes, Width, 1>(), 1);
    copy_tile(tally, make_plan<Rows, RowBytes, Width, 3>(), 3);
    copy_tile(tally, make_plan<Rows, RowBytes, Width, 4>(), 4);
    copy_tile(tally, make_plan<Rows, RowBytes, Width, 24>(), 24);
    copy_tile(tally, make_plan<Rows, RowBytes, Width, 256>(), 256);
    if constexpr (Width < 16) widths<Rows, RowBytes, Width * 2>(tally);
  }
}
template <int Rows>
void row_lengths(Tally& tally) {
  widths<Rows, 1, 1>(tally);
  widths<Rows, 6, 1>(tally);
  widths<Rows, 16, 1>(tally);
  widths<Rows, 48, 1>(tally);
  widths<Rows, 128, 1>(tally);
}

// for_each of all threads gives every chunk from step First on once, slice after slice, each with
// its place alone.
template <int Rows, int RowBytes, int Width, int StaticSize, int First, int Count, int... Index>
void hand_out(Tally& tally, int threads, std::integer_sequence<int, Index...>) {
  using P = ChunkPlan<Rows, RowBytes, Width>;
  std::vector<int> given(P::chunks, 0);
  for (int rank = 0; rank < threads; ++rank) {
    const ThreadGroup<StaticSize> group{rank, StaticSize > 0 ? -1 : threads};
    const auto take = [&](const typename P::Chunk& chunk) {
      const int number = chunk.row * P::per_row + chunk.start() / Width;
      tally.expect(number % threads == rank && chunk.start() % Width == 0, "given to its thread",
                   {Rows, RowBytes, Width, threads, rank, number});
      if (number >= 0 && number < P::chunks) ++given[static_cast<std::size_t>(number)];
    };
    (P::template for_each<Slice<Index, Count>, First>(group, take), ...);
  }
  for (int number = 0; number < P::chunks; ++number)
    tally.expect(given[static_cast<std::size_t>(number)] == (number >= First * threads ? 1 : 0),
                 "given once", {Rows, RowBytes, Width, StaticSize, threads, First, Count, number});
}
template <int Rows, int RowBytes, int Width, int First, int Count>
void hand_out_to_groups(Tally& tally) {
  constexpr auto indices = std::make_integer_sequence<int, Count>();
  for (const int threads : {1, 3, 8, 24, 100})
    hand_out<Rows, RowBytes, Width, 0, First, Count>(tally, threads, indices);
  hand_out<Rows, RowBytes, Width, 1, First, Count>(tally, 1, indices);
  hand_out<Rows, RowBytes, Width, 3, First, Count>(tally, 3, indices);
  hand_out<Rows, RowBytes, Width, 8, First, Count>(tally, 8, indices);
  hand_out<Rows, RowBytes, Width, 100, First, Count>(tally, 100, indices);
}
template <int Rows, int RowBytes, int Width>
void hand_out_slices(Tally& tally) {
  hand_out_to_groups<Rows, RowBytes, Width, 0, 1>(tally);
  hand_out_to_groups<Rows, RowBytes, Width, 0, 3>(tally);
  hand_out_to_groups<Rows, RowBytes, Width, 2, 1>(tally);
  hand_out_to_groups<Rows, RowBytes, Width, 2, 3>(tally);
}

template <int Count, int... Index>
void slices(Tally& tally, std::integer_sequence<int, Index...>) {
  for (int n = 0; n <= 130; ++n) {
    int next = 0;
    const auto follow = [&](int begin, int end, int index) {
      tally.expect(begin == next && end >= begin, "slices follow", {Count, index, n});
      tally.expect(end - begin >= n / Count && end - begin <= (n + Count - 1) / Count,
                   "slices are equal", {Count, index, n});
      next = end;
    };
    (follow(Slice<Index, Count>::begin(n), Slice<Index, Count>::end(n), Index), ...);
    tally.expect(next == n, "slices end", {Count, n});
  }
  constexpr int large = 2147483647;
  tally.expect(Slice<Count - 1, Count>::end(large) == large, "slices do not overflow", {Count});
}
template <int... Count>
void all_slices(Tally& tally, std::integer_sequence<int, Count...>) {
  (slices<Count + 1>(tally, std::make_integer_sequence<int, Count + 1>{}), ...);
}

}  // namespace

TEST_CASE("for_each hands out every chunk once when shapes, groups and slices sweep") {
  Tally tally;
  hand_out_slices<1, 64, 16>(tally);
  hand_out_slices<1, 48, 4>(tally);
  hand_out_slices<5, 48, 16>(tally);
  hand_out_slices<8, 128, 16>(tally);
  hand_out_slices<9, 36, 4>(tally);
  hand_out_slices<1, 7, 1>(tally);
  CHECK(tally.report() == "");
}

TEST_CASE("ChunkPlan covers each byte once when rows, lengths, widths and threads sweep") {
  Tally tally;
  row_lengths<1>(tally);
  row_lengths<3>(tally);
  row_lengths<8>(tally);
  CHECK(tally.report() == "");
  CHECK(tally.checks() > 500000);
}

TEST_CASE("Slices partition any number of things when there are 1 to 12 of them") {
  Tally tally;
  all_slices(tally, std::make_integer_sequence<int, 12>{});
  CHECK(tally.report() == "");
  CHECK((Whole::begin(7) == 0 && Whole::end(7) == 7));
}

TEST_CASE("plan_run splits into head, body and tail when offsets are 0..15 and lengths 0..67") {
  Tally tally;
  constexpr unsigned long long base = 1ull << 40;
  for (unsigned to = 0; to < 16; ++to)
    for (unsigned from = 0; from < 16; ++from)
      for (int bytes = 0; bytes <= 67; ++bytes) {
        const RunPlan run = plan_run(base + to, 3 * base + from, bytes);
        // The widest power of two by which both places can be aligned together.
        int widest = 16;
        while (to % widest != from % widest) widest /= 2;
        tally.expect(run.width == widest, "width", {to, from, bytes});
        tally.expect(run.head >= 0 && run.body >= 0 && run.tail >= 0, "signs", {to, from, bytes});
        tally.expect(run.head + run.body * run.width + run.tail == bytes, "sum", {to, from, bytes});
        tally.expect(run.head < run.width && run.tail < run.width, "widest body",
                     {to, from, bytes});
        tally.expect(run.body == 0 ||
                         ((to + run.head) % run.width == 0 && (from + run.head) % run.width == 0),
                     "body is aligned", {to, from, bytes});
        // The head is the shortest that aligns the body, or all there is.
        const int to_boundary = static_cast<int>((16 - to) % static_cast<unsigned>(widest));
        tally.expect(run.head == (to_boundary < bytes ? to_boundary : bytes), "head",
                     {to, from, bytes});
      }
  CHECK(tally.report() == "");
  CHECK(tally.checks() == 16 * 16 * 68 * 6);
}

TEST_CASE("plan_run counts in 64 bits when a run passes 2^31") {
  const RunPlan run = plan_run(1, (5ull << 30) + 1, 5ll << 30);
  CHECK(run.width == 16);
  CHECK(run.head == 15);
  CHECK(run.body == (5ll << 30) / 16 - 1);
  CHECK(run.tail == 1);
}
