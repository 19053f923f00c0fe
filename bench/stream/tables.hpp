// SPDX-License-Identifier: Apache-2.0
// The lists of streaming kernels, each made by a file of its own so that none compiles for long.
#pragma once

#include "kernel.hpp"

namespace bench {

// tilepipe, every path, completion and team: five pairs of tile and stages.
Kernels ours_w0();
Kernels ours_w16();
Kernels ours_w64();
Kernels ours_w256();

// cuda::pipeline, the same pairs.
Kernels pipelines_w0();
Kernels pipelines_w16();
Kernels pipelines_w64();
Kernels pipelines_w256();

// tilepipe with more tiles and stages, for the best at W0 and W64; and with one stage.
Kernels sweep_w0();
Kernels sweep_w64();
Kernels one_stage_w0();

// One loop in one configuration, by hand and with tilepipe, whose first kernel names the row.
struct Pair {
  Kernels ours;
  Kernel by_hand;
  int blocks_per_sm;
};
std::vector<Pair> handwritten_pairs();

// The rows of 2-D tiles with edges and of two tiles in slices, whose kernels take other arguments.
void add_shape_rows(Rows& rows);

// Synchronous copies: S buffers refilled by assignments, and load, barrier, compute, barrier.
Kernels synchronous();
// A loop that waits for each vector, 16 KiB tiles and 2 stages at W0.
Kernel synchronous_by_vector();

// tilepipe's register path, Block<> beside Block<256>, Via<libcudacxx>, and the README's kernel.
Kernels registers();
std::vector<Pair> runtime_blocks();           // the same compute by pipe.transform
std::vector<Pair> runtime_blocks_unrolled();  // Block<256> unrolls its compute by hand
Kernels foreign();
Side readme(int tiles_of_each_block);
Kernels readme_peers();

// tilepipe, its peers without staging, over W 0 to 256.
struct CurvePoint {
  int w;
  Kernels ours;
  Kernels synchronous;
  std::vector<Side> direct;
};
std::vector<CurvePoint> curve();

// A sweep of direct kernels at W64, and CUB's at a W that it was built for: 0, 16, 64, 256.
std::vector<Side> direct_sweep_w64();
Side cub(int w);

}  // namespace bench
