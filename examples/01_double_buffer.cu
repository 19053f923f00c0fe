// SPDX-License-Identifier: Apache-2.0
// Double buffering: a tile is on its way while the one before it is computed.
#include <vector>

#include "01_double_buffer.cuh"
#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"
#include "support/timing.cuh"

using namespace example;

int main() {
  if (!support::find_device()) return support::skipped;
  constexpr int tile = 4096, threads = 256;
  const int blocks = support::multiprocessors(), tiles = 64;
  const std::size_t n = static_cast<std::size_t>(blocks) * tiles * tile;

  const std::vector<float> in = support::random_floats(n, 1);
  std::vector<float> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = 2 * in[i];

  const support::Buffer<float> from(in);
  support::Buffer<float> to(n);
  using Loader = tilepipe::TileLoader<tilepipe::Tile<float, tile>>;
  support::print_path<Loader>("load", support::running_arch(scale<2>));

  bool right = true;
  const auto run = [&](const char* name, void (*kernel)(const float*, float*, int)) {
    const auto launch = [&] { kernel<<<blocks, threads>>>(from.data(), to.data(), tiles); };
    to.fill_bytes(0xff);
    launch();
    support::check_kernel(name);
    right = support::same(name, to.to_host(), expected) && right;
    const float ms = support::median_milliseconds(launch);
    std::printf("%s: %.0f GB/s read and written, one block a multiprocessor\n", name,
                2e-6 * static_cast<double>(n) * sizeof(float) / ms);
  };
  run("load, sync, compute, sync", scale_synchronous);
  run("pipeline of 2 stages", scale<2>);
  return right ? support::passed : support::failed;
}
