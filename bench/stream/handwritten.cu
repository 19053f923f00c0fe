// SPDX-License-Identifier: Apache-2.0
// One loop, written by hand and with tilepipe: every path of the 1-D transform.
#include "baseline/stream_bulk.cuh"
#include "baseline/stream_cp_async.cuh"
#include "baseline/stream_synchronous.cuh"
#include "stream/ours.cuh"
#include "stream/tables.hpp"

namespace bench {
namespace {

// By hand the compiler orders loads and stores as it does here in the second.
template <int W, int N, int S, class Policy, class How>
Kernels both_orders(const char* in_order, const char* compiled) {
  using Team = tilepipe::Block<256>;
  return {ours_in<Order::in_order, W, N, S, Team, Policy, How>(in_order, 256),
          ours_in<Order::compiler, W, N, S, Team, Policy, How>(compiled, 256)};
}

template <int W, int N, int S>
void add_pairs(std::vector<Pair>& to, int per_sm) {
  using tilepipe::Specialized;
  constexpr std::size_t tiles = S * N * sizeof(float);
  constexpr std::size_t full = S * sizeof(baseline::barrier_t);
  using CpAsync = Via<Path::cp_async>;
  using Bulk = Via<Path::bulk>;
  to.push_back(
      {both_orders<W, N, S, Groups, CpAsync>("cp_async, groups, Block<256>",
                                             "cp_async, groups, Block<256>, stores as compiled"),
       kernel(baseline::stream_groups<W, N, S, 256>, "cp.async by groups", W, N, S, 256, tiles),
       per_sm});
  to.push_back(
      {both_orders<W, N, S, Mbarrier, CpAsync>(
           "cp_async, mbarrier, Block<256>", "cp_async, mbarrier, Block<256>, stores as compiled"),
       kernel(baseline::stream_cp_async_mbarrier<W, N, S, 256>, "cp.async on an mbarrier", W, N, S,
              256, tiles + full),
       per_sm});
  to.push_back(
      {both_orders<W, N, S, Automatic, Bulk>("bulk, mbarrier, Block<256>",
                                             "bulk, mbarrier, Block<256>, stores as compiled"),
       kernel(baseline::stream_bulk<W, N, S, 256>, "bulk, one team", W, N, S, 256, tiles + full),
       per_sm});
  to.push_back({{ours<W, N, S, Specialized<32, 256>, Automatic, Bulk>(
                    "bulk, mbarrier, Specialized<32, 256>", 288)},
                kernel(baseline::stream_bulk_specialized<W, N, S, 256>, "bulk, a producer warp", W,
                       N, S, 288, tiles + 2 * full),
                per_sm});
}

template <int W, int N, int S>
void add_registers(std::vector<Pair>& to, int per_sm) {
  to.push_back({{ours<W, N, S, tilepipe::Block<256>, Automatic, Via<Path::registers>>(
                    "registers, Block<256>", 256)},
                kernel(baseline::stream_registers<W, N, S, 256>, "two-phase registers", W, N, S,
                       256, S * N * sizeof(float)),
                per_sm});
}

}  // namespace

std::vector<Pair> handwritten_pairs() {
  std::vector<Pair> pairs;
  add_pairs<0, 4096, 4>(pairs, 2);
  add_pairs<64, 4096, 4>(pairs, 2);
  add_pairs<64, 4096, 4>(pairs, 1);
  add_pairs<0, 4096, 2>(pairs, 1);
  add_pairs<64, 4096, 2>(pairs, 2);
  add_registers<0, 4096, 2>(pairs, 1);
  add_registers<64, 4096, 2>(pairs, 2);
  return pairs;
}

}  // namespace bench
