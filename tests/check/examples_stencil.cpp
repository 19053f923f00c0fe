// SPDX-License-Identifier: Apache-2.0
// The kernel of example 10 is clean and right, block by block.
#include <tilepipe/core/tensor_map.hpp>
#include <tilepipe/core/tile.hpp>

#include "example_kernels.hpp"
#include "support/catch.hpp"

using namespace check_test;

TEST_CASE("10 sums the neighbours of every cell, in slabs of every height, without a map") {
  if (ptx_arch() >= 90) {
    std::printf("not run for 90 and 100: the checker has no tensor copies\n");
    return;
  }
  using Plane = tilepipe::Tile<float, 1, 6, 136>;
  constexpr int depth = 5, rows = 6, cols = 131, pitch = 132;
  const auto in = numbers<float>(depth * rows * pitch);
  const auto at = [&](int z, int y, int x) {
    const bool inside = z >= 0 && z < depth && y >= 0 && y < rows && x >= 0 && x < cols;
    return inside ? in[static_cast<std::size_t>((z * rows + y) * pitch + x)] : 0.0f;
  };
  const Kernel kernel = kernel_named("8stencil7");
  for (const int slab : {1, 3, 5}) {
    GlobalMemory memory;
    tilepipe::TensorSource<Plane> source{};
    source.view = tilepipe::Source<float, 3>::pitched(
        reinterpret_cast<const float*>(memory.add(in)), depth, rows, cols, pitch, rows * pitch);
    const Address to = memory.add_output<float>(in.size());
    const struct { float center, side; } weights{-6, 1};
    Launch launch(kernel, memory, {64});
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
