// SPDX-License-Identifier: Apache-2.0
// tilepipe's streaming kernels of one W: every path, completion and team that a row may name.
#pragma once

#include "kernel.hpp"
#include "stream.cuh"

// The architecture the file is compiled for: the lists leave out what it does not have.
#ifndef TILEPIPE_BENCH_ARCH
#define TILEPIPE_BENCH_ARCH 90
#endif

namespace bench {

using tilepipe::CompleteBy;
using tilepipe::Completion;
using tilepipe::Path;
using tilepipe::Via;
using Automatic = tilepipe::CompleteBy<Completion::automatic>;
using Groups = tilepipe::CompleteBy<Completion::groups>;
using Mbarrier = tilepipe::CompleteBy<Completion::mbarrier>;

template <Order O, int W, int N, int S, class Team, class Policy, class... How>
Kernel ours_in(const char* name, int threads) {
  return kernel(stream<O, W, N, S, Team, Policy, How...>, name, W, N, S, threads,
                sizeof(tilepipe::Ring<StreamStage<N>, S>));
}
template <int W, int N, int S, class Team, class Policy, class... How>
Kernel ours(const char* name, int threads) {
  using Loader = tilepipe::TileLoader<tilepipe::Tile<float, N>, How...>;
  // On the device: what the host's own path is says nothing.
  constexpr Order order = usual_order<Team, Loader::choice(TILEPIPE_BENCH_ARCH).path>;
  return ours_in<order, W, N, S, Team, Policy, How...>(name, threads);
}

template <int W, int N, int S, class Policy, class... How>
Kernel ours_by_warps(const char* name) {
  return kernel(stream_by_warps<W, N, S, 256, Policy, How...>, name, W, N, S, 256,
                8 * sizeof(tilepipe::Ring<StreamStage<N / 8>, S>));
}

// The candidates of one tile and number of stages.
template <int W, int N, int S>
void add_candidates(Kernels& to) {
  using tilepipe::Block;
  using tilepipe::Specialized;
  using CpAsync = Via<Path::cp_async>;
  to.push_back(ours<W, N, S, Block<256>, Groups, CpAsync>("cp_async, groups, Block<256>", 256));
  to.push_back(ours<W, N, S, Block<256>, Mbarrier, CpAsync>("cp_async, mbarrier, Block<256>", 256));
  to.push_back(ours_by_warps<W, N, S, Groups, CpAsync>("cp_async, groups, Warp x 8"));
#if TILEPIPE_BENCH_ARCH >= 90
  using Bulk = Via<Path::bulk>;
  to.push_back(ours<W, N, S, Block<256>, Automatic, Bulk>("bulk, mbarrier, Block<256>", 256));
  to.push_back(ours<W, N, S, Specialized<32, 256>, Automatic, Bulk>(
      "bulk, mbarrier, Specialized<32, 256>", 288));
  to.push_back(ours_by_warps<W, N, S, Automatic, Bulk>("bulk, mbarrier, Warp x 8"));
#else
  to.push_back(ours<W, N, S, Specialized<64, 256>, Automatic, CpAsync>(
      "cp_async, mbarrier, Specialized<64, 256>", 320));
#endif
}

// The five pairs of tile and stages that the measured configurations use.
template <int W>
Kernels candidates() {
  Kernels all;
  add_candidates<W, 1024, 2>(all);
  add_candidates<W, 1024, 4>(all);
  add_candidates<W, 4096, 2>(all);
  add_candidates<W, 4096, 3>(all);
  add_candidates<W, 4096, 4>(all);
  return all;
}

}  // namespace bench
