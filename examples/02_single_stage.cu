// SPDX-License-Identifier: Apache-2.0
// A single stage: one asynchronous copy, other work, wait.
#include <vector>

#include "02_single_stage.cuh"
#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"

using namespace example;

int main() {
  if (!support::find_device()) return support::skipped;
  constexpr int blocks = 1000, threads = RowTile::size;
  constexpr std::size_t n = static_cast<std::size_t>(blocks) * threads;

  const std::vector<float> in = support::random_floats(n, 2);
  std::vector<float> expected(n);
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < threads; ++i)
      expected[b * threads + i] = weight(i) * in[b * threads + threads - 1 - i];

  const support::Buffer<float> from(in);
  support::Buffer<float> to(n);
  to.fill_bytes(0xff);
  support::print_path<tilepipe::TileLoader<RowTile>>("load",
                                                     support::running_arch(reverse_and_weigh));
  reverse_and_weigh<<<blocks, threads>>>(from.data(), to.data());
  support::check_kernel("reverse_and_weigh");
  const bool right = support::same("single stage", to.to_host(), expected);
  return right ? support::passed : support::failed;
}
