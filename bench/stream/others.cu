// SPDX-License-Identifier: Apache-2.0
// The register path, block sizes known at run time, libcu++ behind the verbs, the README's kernel.
#include <tilepipe/interop/libcudacxx.cuh>

#include "baseline/stream_cp_async.cuh"
#include "baseline/stream_synchronous.cuh"
#include "stream/ours.cuh"
#include "stream/tables.hpp"
#include "stream_readme.cuh"

namespace bench {
namespace {

using tilepipe::Block;
using CpAsync = Via<Path::cp_async>;
using Bulk = Via<Path::bulk>;

// O: how Block<256> computes.
template <Order O, int W>
void add_runtime(std::vector<Pair>& pairs, int per_sm) {
  pairs.push_back(
      {{ours_in<Order::library, W, 4096, 4, Block<>, Groups, CpAsync>("cp_async, groups, Block<>",
                                                                      256)},
       ours_in<O, W, 4096, 4, Block<256>, Groups, CpAsync>("cp_async, groups, Block<256>", 256),
       per_sm});
  pairs.push_back(
      {{ours_in<Order::library, W, 4096, 4, Block<>, Automatic, Bulk>("bulk, mbarrier, Block<>",
                                                                      256)},
       ours_in<O, W, 4096, 4, Block<256>, Automatic, Bulk>("bulk, mbarrier, Block<256>", 256),
       per_sm});
}
template <Order O>
std::vector<Pair> runtime_pairs() {
  std::vector<Pair> pairs;
  add_runtime<O, 0>(pairs, 1);
  add_runtime<O, 0>(pairs, 2);
  add_runtime<O, 64>(pairs, 2);
  return pairs;
}

template <int W, int N, int S>
void add_synchronous(Kernels& to) {
  to.push_back(kernel(baseline::stream_synchronous<W, N, S, 256>, "synchronous copy", W, N, S, 256,
                      S * N * sizeof(float)));
  to.push_back(kernel(baseline::stream_classic<W, N, 256>, "load, barrier, compute, barrier", W, N,
                      S, 256, 0));
}

template <int W, int N, int S>
Kernel groups_by_hand() {
  return kernel(baseline::stream_groups<W, N, S, 256>, "cp.async by groups", W, N, S, 256,
                S * N * sizeof(float));
}

}  // namespace

Kernels registers() {
  using Registers = Via<Path::registers>;
  return {ours<0, 4096, 2, Block<256>, Automatic, Registers>("registers, Block<256>", 256),
          ours<64, 4096, 2, Block<256>, Automatic, Registers>("registers, Block<256>", 256),
          groups_by_hand<0, 4096, 2>(), groups_by_hand<64, 4096, 2>()};
}

Kernel synchronous_by_vector() {
  return kernel(baseline::stream_synchronous<0, 4096, 2, 256, false>,
                "synchronous copy, a vector at a time", 0, 4096, 2, 256, 2 * 4096 * sizeof(float));
}

Kernels synchronous() {
  Kernels all;
  add_synchronous<0, 1024, 2>(all);
  add_synchronous<0, 1024, 4>(all);
  add_synchronous<0, 4096, 2>(all);
  add_synchronous<0, 4096, 3>(all);
  add_synchronous<0, 4096, 4>(all);
  add_synchronous<64, 1024, 2>(all);
  add_synchronous<64, 1024, 4>(all);
  add_synchronous<64, 4096, 2>(all);
  add_synchronous<64, 4096, 3>(all);
  add_synchronous<64, 4096, 4>(all);
  return all;
}

std::vector<Pair> runtime_blocks() { return runtime_pairs<Order::library>(); }
std::vector<Pair> runtime_blocks_unrolled() { return runtime_pairs<Order::in_order>(); }

Kernels foreign() {
  using Foreign = Via<Path::libcudacxx>;
  return {ours<0, 4096, 2, Block<256>, Automatic, Foreign>("libcudacxx, Block<256>", 256),
          ours<0, 4096, 4, Block<256>, Automatic, Foreign>("libcudacxx, Block<256>", 256),
          ours<64, 4096, 4, Block<256>, Automatic, Foreign>("libcudacxx, Block<256>", 256)};
}

Side readme(int tiles_of_each) {
  return stream_side(
      "the README's kernel, default path", 64, [tiles_of_each](const float* in, float* out) {
        const auto blocks = StreamData::count / 4096 / tiles_of_each;
        readme_scale<2><<<static_cast<unsigned>(blocks), 256>>>(in, out, tiles_of_each);
      });
}

Kernels readme_peers() {
  return {ours<64, 4096, 2, Block<256>, Groups, CpAsync>("cp_async, groups, Block<256>", 256),
          ours<64, 4096, 2, Block<256>, Mbarrier, CpAsync>("cp_async, mbarrier, Block<256>", 256),
          ours<64, 4096, 2, Block<256>, Automatic, Bulk>("bulk, mbarrier, Block<256>", 256)};
}

}  // namespace bench
