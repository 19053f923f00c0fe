// SPDX-License-Identifier: Apache-2.0
// The GEMM example without a GPU: its paths, what fits each card, and its schedule on the CPU.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tilepipe/host/plan.hpp>
#include <vector>

#include "03_gemm_tensor_core.cuh"
#include "schedule.hpp"
#include "support/references.hpp"

namespace {

using example::LargeShape;
using example::SmallShape;

// A line that names the kernel for gemm_report.py, then what its pipeline does on an architecture.
template <class Shape, class... Options>
void print_kernel(const char* options, const char* what, int arch) {
  using A = tilepipe::TileLoader<typename Shape::TileA, Options...>;
  using B = tilepipe::TileLoader<typename Shape::TileB, Options...>;
  using Team = tilepipe::Block<Shape::threads>;
  const auto plan = tilepipe::host::plan_pipeline<typename Shape::Ring, Team, A, B>(
      Shape::threads, "load_a", "load_b");
  std::printf("kernel\t%dx%dx%d %s\t%s\n%s", Shape::m, Shape::n, Shape::k, options, what,
              tilepipe::host::report(arch, plan).c_str());
}

void print_kernels(int arch) {
  using tilepipe::Aligned;
  using tilepipe::ZeroFill;
  print_kernel<LargeShape, tilepipe::Exact>("Exact", "128 x 256 x 64, whole tiles", arch);
  print_kernel<LargeShape, ZeroFill>("ZeroFill", "128 x 256 x 64, any extents", arch);
  print_kernel<SmallShape, ZeroFill>("ZeroFill", "128 x 128 x 32, any extents", arch);
  print_kernel<SmallShape, ZeroFill, Aligned<8>>("ZeroFill Aligned<8>",
                                                 "128 x 128 x 32, 8-byte alignment", arch);
  print_kernel<SmallShape, ZeroFill, Aligned<4>>("ZeroFill Aligned<4>",
                                                 "128 x 128 x 32, 4-byte alignment", arch);
  print_kernel<SmallShape, ZeroFill, Aligned<2>>("ZeroFill Aligned<2>",
                                                 "128 x 128 x 32, 2-byte alignment", arch);
}

// ---- the schedule of one block of C, as the kernel has it ----

struct Matrices {
  int m, n, k;
  std::vector<std::uint16_t> a, b;  // bf16
  Matrices(int rows, int cols, int terms) : m(rows), n(cols), k(terms) {
    support::Random random(5);
    const auto fill = [&](std::vector<std::uint16_t>& v, std::size_t size) {
      v.resize(size);  // small integers: every sum is exact in fp32
      for (auto& x : v) x = support::to_bf16(static_cast<float>(random.below(17) - 8));
    };
    fill(a, std::size_t(m) * k);
    fill(b, std::size_t(n) * k);
  }
};

// A tile, unswizzled, as floats.
template <class Tile>
void read_tile(const Tile& tile, std::vector<float>& to) {
  to.resize(Tile::size);
  for (int r = 0; r < Tile::rows; ++r)
    for (int c = 0; c < Tile::cols; ++c)
      to[r * Tile::cols + c] = support::from_bf16(tile.template as<std::uint16_t>(r, c));
}

template <class Shape>
struct Block {
  std::vector<float> sums = std::vector<float>(std::size_t(Shape::m) * Shape::n);
  std::vector<float> a, bt;

  void multiply(const typename Shape::Stage& stage) {
    std::vector<float> b;
    read_tile(stage.a, a);
    read_tile(stage.b, b);
    bt.resize(b.size());
    for (int c = 0; c < Shape::n; ++c)
      for (int p = 0; p < Shape::k; ++p) bt[p * Shape::n + c] = b[c * Shape::k + p];
    for (int r = 0; r < Shape::m; ++r)
      for (int p = 0; p < Shape::k; ++p)
        for (int c = 0; c < Shape::n; ++c)
          sums[r * Shape::n + c] += a[r * Shape::k + p] * bt[p * Shape::n + c];
  }
};

template <class Shape, class... Options>
bool run_block(const Matrices& in, int row, int col, bool through_registers) {
  using LoadA = tilepipe::TileLoader<typename Shape::TileA, Options...>;
  using LoadB = tilepipe::TileLoader<typename Shape::TileB, Options...>;
  using Bits = std::uint16_t;
  const auto source_a = tilepipe::Source<Bits, 2>::pitched(in.a.data(), in.m, in.k, in.k);
  const auto source_b = tilepipe::Source<Bits, 2>::pitched(in.b.data(), in.n, in.k, in.k);
  const auto ring = std::make_unique<typename Shape::Ring>();
  schedule::Pipeline<typename Shape::Ring> pipe(*ring, Shape::threads, through_registers);

  const int tiles = (in.k + Shape::k - 1) / Shape::k;
  constexpr int ahead = Shape::Ring::stages - 1, slices = 3;
  for (int t = 0; t < ahead && t < tiles; ++t) {
    auto& stage = pipe.producer_acquire();
    pipe.template fill<LoadA>(tilepipe::Whole{}, stage.a, source_a, row, t * Shape::k);
    pipe.template fill<LoadB>(tilepipe::Whole{}, stage.b, source_b, col, t * Shape::k);
    pipe.producer_commit();
  }
  Block<Shape> block;
  for (int t = 0; t < tiles; ++t) {
    const auto& stage = pipe.consumer_wait();
    if (t + ahead < tiles) {
      auto& next = pipe.producer_acquire();
      const int k = (t + ahead) * Shape::k;
      const auto slice = [&](auto part) {
        pipe.template fill<LoadA>(part, next.a, source_a, row, k);
        pipe.template fill<LoadB>(part, next.b, source_b, col, k);
      };
      slice(tilepipe::Slice<0, slices>{});
      slice(tilepipe::Slice<1, slices>{});
      slice(tilepipe::Slice<2, slices>{});
    }
    pipe.producer_commit();
    block.multiply(stage);
    pipe.consumer_release();
  }

  int wrong = 0;
  std::vector<float> a(in.k);
  for (int r = row; r < row + Shape::m && r < in.m; ++r) {
    for (int p = 0; p < in.k; ++p) a[p] = support::from_bf16(in.a[std::size_t(r) * in.k + p]);
    for (int c = col; c < col + Shape::n && c < in.n; c += 37) {  // every 37th column of each row
      float sum = 0;
      for (int p = 0; p < in.k; ++p)
        sum += a[p] * support::from_bf16(in.b[std::size_t(c) * in.k + p]);
      wrong += !(block.sums[(r - row) * Shape::n + c - col] == sum);
    }
  }
  std::printf("    block at (%d, %d): %d tiles, %lld copies: %s\n", row, col, tiles, pipe.copies(),
              wrong == 0 ? "right" : "WRONG");
  return wrong == 0;
}

// The first and the last block, by the path that the loaders take on the architecture.
template <class Shape, class... Options>
bool run_schedule(const char* name, const Matrices& in, int arch) {
  const tilepipe::Choice choice =
      tilepipe::TileLoader<typename Shape::TileA, Options...>::choice(arch);
  std::printf("  %s on %d, %s, %d x %d x %d\n", name, arch, tilepipe::host::name_of(choice.path),
              in.m, in.n, in.k);
  const bool late = choice.path == tilepipe::Path::registers;
  const int last_row = (in.m - 1) / Shape::m * Shape::m,
            last_col = (in.n - 1) / Shape::n * Shape::n;
  const bool first = run_block<Shape, Options...>(in, 0, 0, late);
  return run_block<Shape, Options...>(in, last_row, last_col, late) && first;
}

bool run_schedules() {
  const Matrices whole(4096, 4096, 4096), ragged(1000, 777, 556);
  bool right = run_schedule<LargeShape, tilepipe::Exact>("large", whole, 90);
  right = run_schedule<SmallShape, tilepipe::ZeroFill>("small", whole, 75) && right;
  right = run_schedule<SmallShape, tilepipe::ZeroFill, tilepipe::Aligned<8>>("small", ragged, 80) &&
          right;
  right = run_schedule<SmallShape, tilepipe::ZeroFill, tilepipe::Aligned<2>>("small", ragged, 90) &&
          right;
  return right;
}

}  // namespace

// gemm_plan kernels ARCH | schedule
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  const int arch = argc > 2 ? std::atoi(argv[2]) : 0;
  if (std::strcmp(what, "kernels") == 0 && arch > 0) {
    print_kernels(arch);
    return 0;
  }
  if (std::strcmp(what, "schedule") == 0) return run_schedules() ? 0 : 1;
  std::fprintf(stderr, "usage: gemm_plan kernels ARCH | schedule\n");
  return 2;
}
