// SPDX-License-Identifier: Apache-2.0
// tilepipe's streaming kernels with more tiles and stages: the sweeps behind the best at W0 and
// W64.
#include "stream/ours.cuh"
#include "stream/tables.hpp"

namespace bench {
namespace {

using tilepipe::Block;
using tilepipe::Specialized;
using CpAsync = Via<Path::cp_async>;
using Bulk = Via<Path::bulk>;

template <int W, int N, int S>
void add_sweep(Kernels& to) {
  to.push_back(ours<W, N, S, Block<256>, Groups, CpAsync>("cp_async, groups, Block<256>", 256));
  to.push_back(ours<W, N, S, Block<256>, Automatic, Bulk>("bulk, mbarrier, Block<256>", 256));
  to.push_back(ours<W, N, S, Specialized<32, 256>, Automatic, Bulk>(
      "bulk, mbarrier, Specialized<32, 256>", 288));
}

template <int W>
Kernels sweep() {
  Kernels all;
  add_sweep<W, 2048, 2>(all);
  add_sweep<W, 2048, 4>(all);
  add_sweep<W, 4096, 2>(all);
  add_sweep<W, 4096, 3>(all);
  add_sweep<W, 8192, 2>(all);
  return all;
}

}  // namespace

Kernels sweep_w0() { return sweep<0>(); }
Kernels sweep_w64() { return sweep<64>(); }

Kernels one_stage_w0() {
  Kernels all;
  all.push_back(ours<0, 1024, 1, Block<256>, Groups, CpAsync>("cp_async, groups, Block<256>", 256));
  all.push_back(ours<0, 1024, 1, Block<256>, Automatic, Bulk>("bulk, mbarrier, Block<256>", 256));
  all.push_back(ours<0, 2048, 1, Block<512>, Automatic, Bulk>("bulk, mbarrier, Block<512>", 512));
  all.push_back(ours<0, 2048, 1, Block<256>, Automatic, Bulk>("bulk, mbarrier, Block<256>", 256));
  all.push_back(ours<0, 4096, 1, Block<512>, Automatic, Bulk>("bulk, mbarrier, Block<512>", 512));
  all.push_back(
      ours<0, 4096, 1, Block<1024>, Automatic, Bulk>("bulk, mbarrier, Block<1024>", 1024));
  all.push_back(
      ours<0, 1024, 1, Block<256>, Automatic, Via<Path::registers>>("registers, Block<256>", 256));
  return all;
}

}  // namespace bench
