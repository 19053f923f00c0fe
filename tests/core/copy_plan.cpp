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

// All threads of a group copy all their chunks: each byte once, neighbours by neighbours.
template <class Plan, int StaticSize>
void copy_tile(Tally& tally, int rows, int row_bytes, int width, int threads) {
  std::vector<int> copied(rows * row_bytes, 0);
  int expected_steps = 0;
  while (expected_steps * threads * width < rows * row_bytes) ++expected_steps;
  tally.expect(Plan::steps(threads) == expected_steps, "steps", {rows, row_bytes, width, threads});
  for (int step = 0; step < expected_steps; ++step)
    for (int rank = 0; rank < threads; ++rank) {
      const ThreadGroup<StaticSize> group{rank, StaticSize > 0 ? -1 : threads};
      const int first = (step * threads + rank) * width;
      const bool has = first < rows * row_bytes;
      tally.expect(Plan::has(group, step) == has, "has", {rows, row_bytes, width, threads, rank});
      if (StaticSize > 0)
        tally.expect(
            Plan::partial(step, StaticSize) == ((step + 1) * threads * width > rows * row_bytes),
            "partial", {rows, row_bytes, width, threads, step});
      else
        tally.expect(Plan::partial(step, 0), "partial", {rows, row_bytes, width, threads, step});
      if (!has) continue;
      const auto chunk = Plan::chunk(group, step);
      tally.expect(chunk.row * row_bytes + chunk.byte == first && chunk.byte % width == 0 &&
                       chunk.byte >= 0 && chunk.byte + width <= row_bytes,
                   "chunk", {rows, row_bytes, width, threads, rank, step});
      for (int b = 0; b < width; ++b) {
        const int at = chunk.row * row_bytes + chunk.byte + b;
        if (at >= 0 && at < rows * row_bytes) ++copied[at];
      }
    }
  for (int at = 0; at < rows * row_bytes; ++at)
    tally.expect(copied[at] == 1, "covered once", {rows, row_bytes, width, threads, at});
}

template <int Rows, int RowBytes, int Width>
void plan(Tally& tally) {
  if constexpr (RowBytes % Width == 0) {
    using Plan = ChunkPlan<Rows, RowBytes, Width>;
    static_assert(Plan::chunks * Width == Rows * RowBytes, "");
    for (int threads = 1; threads <= 40; ++threads)
      copy_tile<Plan, 0>(tally, Rows, RowBytes, Width, threads);
    copy_tile<Plan, 0>(tally, Rows, RowBytes, Width, 1024);
    copy_tile<Plan, 1>(tally, Rows, RowBytes, Width, 1);
    copy_tile<Plan, 3>(tally, Rows, RowBytes, Width, 3);
    copy_tile<Plan, 4>(tally, Rows, RowBytes, Width, 4);
    copy_tile<Plan, 24>(tally, Rows, RowBytes, Width, 24);
    copy_tile<Plan, 32>(tally, Rows, RowBytes, Width, 32);
    copy_tile<Plan, 256>(tally, Rows, RowBytes, Width, 256);
  }
}
template <int Rows, int RowBytes>
void widths(Tally& tally) {
  plan<Rows, RowBytes, 1>(tally);
  plan<Rows, RowBytes, 2>(tally);
  plan<Rows, RowBytes, 4>(tally);
  plan<Rows, RowBytes, 8>(tally);
  plan<Rows, RowBytes, 16>(tally);
}
template <int Rows>
void row_lengths(Tally& tally) {
  widths<Rows, 1>(tally);
  widths<Rows, 6>(tally);
  widths<Rows, 16>(tally);
  widths<Rows, 48>(tally);
  widths<Rows, 64>(tally);
  widths<Rows, 128>(tally);
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

TEST_CASE("ChunkPlan covers each byte once when rows, lengths, widths and threads sweep") {
  Tally tally;
  row_lengths<1>(tally);
  row_lengths<2>(tally);
  row_lengths<3>(tally);
  row_lengths<8>(tally);
  CHECK(tally.report() == "");
  CHECK(tally.checks() > 1000000);
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
