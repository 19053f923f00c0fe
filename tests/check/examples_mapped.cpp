// SPDX-License-Identifier: Apache-2.0
// The kernels of the examples 08 and 10, by tensor copies from 9.0, are clean and right, block by
// block.
#include <tilepipe/core/tile.hpp>

#include "example_kernels.hpp"
#include "support/catch.hpp"

using namespace check_test;

TEST_CASE("10 sums the neighbours of every cell, in slabs of every height") {
  using Plane = tilepipe::Tile<float, 1, 6, 256>;
  constexpr int depth = 5, rows = 6, cols = 259, pitch = 260;
  const auto in = numbers<float>(depth * rows * pitch);
  const auto at = [&](int z, int y, int x) {
    const bool inside = z >= 0 && z < depth && y >= 0 && y < rows && x >= 0 && x < cols;
    return inside ? in[static_cast<std::size_t>((z * rows + y) * pitch + x)] : 0.0f;
  };
  const Kernel kernel = kernel_named("8stencil7");
  for (const int slab : {1, 3, 5}) {
    GlobalMemory memory;
    const auto source = mapped<Plane>(tilepipe::Source<float, 3>::pitched(
        reinterpret_cast<const float*>(memory.add(in)), depth, rows, cols, pitch, rows * pitch));
    const Address to = memory.add_output<float>(in.size());
    const struct { float center, side; } weights{-6, 1};
    Launch launch(kernel, memory, {160});
    launch.grid = {2, 2, static_cast<std::uint32_t>((depth + slab - 1) / slab)};
    launch.dynamic_shared = 4 * (sizeof(Plane) + 64);
    launch.arguments(source, to, weights, slab);
    for (std::uint32_t block = 0; block < 4 * launch.grid.z; ++block) {
      launch.index = {block % 2, block / 2 % 2, block / 4};
      const Report report = run(launch, schedules(1));
      INFO("slabs of " << slab << ", block " << block << "\n" << report.text());
      REQUIRE(report.clean());
    }
    const auto out = memory.read<float>(to);
    for (int z = 0; z < depth; ++z)
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < cols; ++x)
          REQUIRE(out[static_cast<std::size_t>((z * rows + y) * pitch + x)] ==
                  -6 * at(z, y, x) + at(z, y, x - 1) + at(z, y, x + 1) + at(z, y - 1, x) +
                      at(z, y + 1, x) + at(z - 1, y, x) + at(z + 1, y, x));
  }
}

TEST_CASE("08 transposes whole tiles, edges on both sides, and less than a tile") {
  using Square = tilepipe::SwizzledTile<float, 32, 32>;
  const Kernel kernel = kernel_named("9transposeILi4EE");
  struct Shape {
    int rows, cols, pitch;
  };
  for (const Shape s : {Shape{64, 96, 96}, Shape{100, 77, 80}, Shape{5, 7, 8}}) {
    GlobalMemory memory;
    const auto in = numbers<float>(static_cast<std::size_t>(s.rows * s.pitch));
    const auto source = mapped<Square>(tilepipe::Source<float, 2>::pitched(
        reinterpret_cast<const float*>(memory.add(in)), s.rows, s.cols, s.pitch));
    const Address to = memory.add_output<float>(static_cast<std::size_t>(s.rows * s.cols));
    Launch launch(kernel, memory, {256});
    launch.grid = {2, 1, 1};
    launch.arguments(source, to, s.rows, s.cols);
    for (launch.index.x = 0; launch.index.x < 2; ++launch.index.x) {
      const Report report = run(launch, schedules(1));
      INFO(s.rows << " x " << s.cols << ", block " << launch.index.x << "\n" << report.text());
      REQUIRE(report.clean());
    }
    const auto out = memory.read<float>(to);
    for (int r = 0; r < s.rows; ++r)
      for (int c = 0; c < s.cols; ++c)
        REQUIRE(out[static_cast<std::size_t>(c * s.rows + r)] ==
                in[static_cast<std::size_t>(r * s.pitch + c)]);
  }
}
