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

using example::Small;
using example::Wide;

// A line that names the kernel for gemm_report.py, then what its pipeline does on an architecture.
template <class Shape, class Edge>
void print_kernel(const char* options, const char* what, int arch) {
  using A = typename Shape::template Loader<typename Shape::TileA, Edge>;
  using B = typename Shape::template Loader<typename Shape::TileB, Edge>;
  using Team = tilepipe::Block<Shape::threads>;
  const auto plan = tilepipe::host::plan_pipeline<typename Shape::Ring, Team, A, B>(
      Shape::threads, "load_a", "load_b");
  std::printf("kernel\t%dx%dx%d %s\t%s\n%s", Shape::m, Shape::n, Shape::k, options, what,
              tilepipe::host::report(arch, plan).c_str());
}

void print_kernels(int arch) {
  using tilepipe::ZeroFill;
  print_kernel<Wide, tilepipe::Exact>("uint4 Exact", "128 x 256 x 64, whole tiles", arch);
  print_kernel<Wide, ZeroFill>("uint4 ZeroFill", "128 x 256 x 64, any extents", arch);
  print_kernel<example::Tall, ZeroFill>("uint4 ZeroFill", "256 x 128 x 64, any extents", arch);
  print_kernel<Small<uint4>, ZeroFill>("uint4 ZeroFill", "128 x 128 x 32, any extents", arch);
  print_kernel<Small<uint2>, ZeroFill>("uint2 ZeroFill", "128 x 128 x 32, 8-byte alignment", arch);
  print_kernel<Small<std::uint32_t>, ZeroFill>("unsigned int ZeroFill",
                                               "128 x 128 x 32, 4-byte alignment", arch);
  print_kernel<Small<std::uint16_t>, ZeroFill>("unsigned short ZeroFill",
                                               "128 x 128 x 32, 2-byte alignment", arch);
}

// ---- the schedule of one block, as the kernel has it ----

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
  constexpr int cols = Tile::row_bytes / 2;
  to.resize(Tile::rows * cols);
  for (int r = 0; r < Tile::rows; ++r)
    for (int c = 0; c < cols; ++c) {
      std::uint16_t bits;
      std::memcpy(&bits, tile.storage + Tile::Layout::offset(r, 2 * c, Tile::rows, Tile::row_bytes),
                  2);
      to[r * cols + c] = support::from_bf16(bits);
    }
}

// Of a patch's first element.
struct Patch {
  int row, col;
};

template <class Shape>
struct Product {
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

// Compares a patch of the product with sums over the matrices, for every 37th column of each row.
template <class Shape>
bool is_right(const Matrices& in, const Patch& patch, const std::vector<float>& sums) {
  int wrong = 0;
  std::vector<float> a(in.k);
  for (int r = patch.row; r < patch.row + Shape::m && r < in.m; ++r) {
    for (int p = 0; p < in.k; ++p) a[p] = support::from_bf16(in.a[std::size_t(r) * in.k + p]);
    for (int c = patch.col; c < patch.col + Shape::n && c < in.n; c += 37) {
      float sum = 0;
      for (int p = 0; p < in.k; ++p)
        sum += a[p] * support::from_bf16(in.b[std::size_t(c) * in.k + p]);
      wrong += !(sums[(r - patch.row) * Shape::n + c - patch.col] == sum);
    }
  }
  return wrong == 0;
}

// A matrix as the kernel's loaders see it.
template <class Shape>
auto pieces_of(const std::vector<std::uint16_t>& matrix, int rows, int k) {
  using Piece = typename Shape::Piece;
  return tilepipe::Source<Piece, 2>::pitched(reinterpret_cast<const Piece*>(matrix.data()), rows,
                                             k / Shape::in_piece, k / Shape::in_piece);
}

// One block that computes some patches, in one walk: while a tile is multiplied, that of two steps
// later is on its way, be it of the next patch. Behind the last patch it is copied ahead again.
template <class Shape, class Edge>
bool run_block(const Matrices& in, const std::vector<Patch>& patches, bool through_registers) {
  using LoadA = typename Shape::template Loader<typename Shape::TileA, Edge>;
  using LoadB = typename Shape::template Loader<typename Shape::TileB, Edge>;
  const auto source_a = pieces_of<Shape>(in.a, in.m, in.k);
  const auto source_b = pieces_of<Shape>(in.b, in.n, in.k);
  const auto ring = std::make_unique<typename Shape::Ring>();
  schedule::Pipeline<typename Shape::Ring> pipe(*ring, Shape::threads, through_registers);

  constexpr int step_pieces = Shape::k / Shape::in_piece;
  const int tiles = (in.k + Shape::k - 1) / Shape::k;
  const int steps = tiles * static_cast<int>(patches.size());
  const auto fill = [&](auto slice, typename Shape::Stage& stage, int step) {
    const Patch& patch = step < steps ? patches[step / tiles] : patches.back();
    pipe.template fill<LoadA>(slice, stage.a, source_a, patch.row, step % tiles * step_pieces);
    pipe.template fill<LoadB>(slice, stage.b, source_b, patch.col, step % tiles * step_pieces);
  };
  constexpr int ahead = Shape::Ring::stages - 1;
  for (int step = 0; step < ahead; ++step) {
    fill(tilepipe::Whole{}, pipe.producer_acquire(), step);
    pipe.producer_commit();
  }
  bool right = true;
  Product<Shape> product;
  for (int step = 0; step < steps; ++step) {
    const auto& stage = pipe.consumer_wait();
    auto& next = pipe.producer_acquire();
    fill(tilepipe::Slice<0, 3>{}, next, step + ahead);
    fill(tilepipe::Slice<1, 3>{}, next, step + ahead);
    fill(tilepipe::Slice<2, 3>{}, next, step + ahead);
    pipe.producer_commit();
    product.multiply(stage);
    pipe.consumer_release();
    if ((step + 1) % tiles != 0) continue;
    const Patch& patch = patches[step / tiles];
    const bool same = is_right<Shape>(in, patch, product.sums);
    std::printf("    patch at (%d, %d): %d tiles, %lld copies so far: %s\n", patch.row, patch.col,
                tiles, pipe.copies(), same ? "right" : "WRONG");
    right = right && same;
    product = {};
  }
  return right;
}

// A block that computes the first and the last patch, by the path that the loaders take on the
// architecture.
template <class Shape, class Edge>
bool run_schedule(const char* name, const Matrices& in, int arch) {
  const tilepipe::Choice choice = Shape::template Loader<typename Shape::TileA, Edge>::choice(arch);
  std::printf("  %s on %d, %s, %d x %d x %d\n", name, arch, tilepipe::host::name_of(choice.path),
              in.m, in.n, in.k);
  const Patch last{(in.m - 1) / Shape::m * Shape::m, (in.n - 1) / Shape::n * Shape::n};
  return run_block<Shape, Edge>(in, {{0, 0}, last}, choice.path == tilepipe::Path::registers);
}

bool run_schedules() {
  const Matrices whole(4096, 4096, 4096), ragged(1000, 777, 556);
  using tilepipe::ZeroFill;
  bool right = run_schedule<Wide, tilepipe::Exact>("128 x 256 x 64", whole, 90);
  right = run_schedule<Small<uint4>, ZeroFill>("128 x 128 x 32", whole, 75) && right;
  right = run_schedule<Small<uint2>, ZeroFill>("128 x 128 x 32", ragged, 80) && right;
  right = run_schedule<Small<std::uint16_t>, ZeroFill>("128 x 128 x 32", ragged, 90) && right;
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
