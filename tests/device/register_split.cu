// SPDX-License-Identifier: Apache-2.0
// Roles whose computing threads need more registers than the block is launched with. Built for each
// target that is tested, TILEPIPE_TEST_TARGET its name.
#include <tilepipe/tilepipe.cuh>

#include "special_kernels.hpp"

namespace tilepipe_test {
namespace {

using SplitTile = tilepipe::Tile<unsigned, split_tile>;
struct SplitStage {
  SplitTile x;
};

// What `split_next` says becomes of the sums of each computing thread, tile by tile. *splits:
// whether the registers were to be split.
__global__ void __launch_bounds__(384, 1)
    split_registers(const unsigned* in, unsigned* out, int* splits, int tiles) {
  __shared__ tilepipe::Ring<SplitStage, 4> ring;
  tilepipe::TileLoader<SplitTile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<128, split_threads>{},
                          tilepipe::SplitRegisters<40, 232>{}, load};
  const auto fill = [&](SplitStage& s, int t) { pipe.fill(load, s.x, 1ll * split_tile * t); };
  if (pipe.is_producer()) {
    pipe.run(tiles, fill, [](const SplitStage&, int) {});
    return;
  }
  unsigned sum[split_sums];
#pragma unroll
  for (int i = 0; i < split_sums; ++i) sum[i] = static_cast<unsigned>(i);
  pipe.run(tiles, fill, [&](const SplitStage& s, int) {
#pragma unroll
    for (int i = 0; i < split_sums; ++i)
      sum[i] = split_next(sum[i], sum[(i * 7 + 3) % split_sums], s.x[split_place(i, pipe.rank())]);
  });
#pragma unroll
  for (int i = 0; i < split_sums; ++i) out[i * split_threads + pipe.rank()] = sum[i];
  if (pipe.rank() == 0) *splits = pipe.splits_registers ? 1 : 0;
}

const bool added = [] {
  SpecialCase c;
  c.name = std::string("split/") + TILEPIPE_TEST_TARGET;
  c.kernel = reinterpret_cast<const void*>(&split_registers);
  c.threads = 128 + split_threads;
  add_special_case(c);
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
