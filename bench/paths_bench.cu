// SPDX-License-Identifier: Apache-2.0
// How fast do the paths read with a ring of so many bytes, what is the latency of one tile, and
// what do registers cost that hold a tile?
#include <tilepipe/host/launch.hpp>

#include "kernel.hpp"
#include "paths.cuh"

namespace bench {
namespace {

using tilepipe::CompleteBy;
using tilepipe::Completion;
using tilepipe::Path;
using tilepipe::Via;
using Automatic = CompleteBy<Completion::automatic>;
using Groups = CompleteBy<Completion::groups>;
using Mbarrier = CompleteBy<Completion::mbarrier>;

const unsigned* words() { return reinterpret_cast<const unsigned*>(stream_data().in.data()); }
unsigned* results() { return reinterpret_cast<unsigned*>(stream_data().out.data()); }
void poison() { stream_data().out.poison(); }

unsigned read_result(unsigned i) {
  unsigned value = 0;
  check(cudaMemcpy(&value, results() + i, sizeof value, cudaMemcpyDeviceToHost), "result");
  return value;
}

// ---- path_table: 1 GiB read, one block a multiprocessor ----

__global__ void add_up(const unsigned* sums, int count, unsigned* total) {
  unsigned sum = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) sum += sums[i];
  atomicAdd(total, sum);
}
// The sum of the first `count` results, by the word behind all of them.
unsigned total_of(int count) {
  constexpr unsigned at = StreamData::count - 1;
  check(cudaMemset(results() + at, 0, sizeof(unsigned)), "cudaMemset");
  add_up<<<1, 256>>>(results(), count, results() + at);
  return read_result(at);
}
constexpr int direct_blocks = 8;  // a multiprocessor
void read_direct() {
  baseline::read_direct<<<direct_blocks * device().multiprocessors, 256>>>(words(), results(),
                                                                           StreamData::count);
}
unsigned expected_total() {
  static const unsigned total = [] {
    read_direct();
    return total_of(direct_blocks * device().multiprocessors * 256);
  }();
  return total;
}
Side read_side(std::string name, int blocks, std::function<void()> launch) {
  return {std::move(name), std::move(launch), poison, [blocks] {
            const unsigned total = total_of(blocks * device().multiprocessors * 256);
            return total == expected_total() ? 0u : 1u;
          }};
}

template <int Words, int Stages, class Policy, class... How>
void add_path_row(Rows& rows, const char* path) {
  const auto kernel = read_tiles<Words, Stages, Policy, How...>;
  constexpr int bytes = sizeof(tilepipe::Ring<WordStage<Words>, Stages>);
  Row row{"path_table",
          std::string(path) + ", " + describe_tile(Words, Stages) + ", 1 block/SM",
          "GB/s",
          StreamData::gigabytes / 2,
          "direct reads, 8 blocks/SM",
          {},
          {}};
  row.ours.push_back(read_side(path, 1, [kernel] {
    tilepipe::host::prepare(kernel, bytes);
    kernel<<<device().multiprocessors, 256, bytes>>>(words(), results(), StreamData::count / Words);
  }));
  row.peers.push_back(read_side("direct reads", direct_blocks, read_direct));
  rows.add(std::move(row));
}

template <int Words, int Stages>
void add_path_rows(Rows& rows) {
  add_path_row<Words, Stages, Automatic, Via<Path::registers>>(rows, "registers");
  add_path_row<Words, Stages, Groups, Via<Path::cp_async>>(rows, "cp_async, groups");
  add_path_row<Words, Stages, Mbarrier, Via<Path::cp_async>>(rows, "cp_async, mbarrier");
  add_path_row<Words, Stages, Automatic, Via<Path::bulk>>(rows, "bulk");
}

// ---- path_latency: one warp, tiles of 512 bytes, each known when the one before was read ----

constexpr int steps = 2000;
using Chain = void (*)(const unsigned*, unsigned*, int, unsigned);

Side chain_side(std::string name, Chain kernel, unsigned mask) {
  return {std::move(name), [=] { kernel<<<1, 32>>>(words(), results(), steps, mask); }, poison,
          [mask] {
            const unsigned got = read_result(0);
            baseline::chain_plain<<<1, 1>>>(words(), results(), steps, mask);
            return read_result(0) == got ? 0u : 1u;
          }};
}

void add_latency_row(Rows& rows, const char* path, Chain kernel, bool in_l2) {
  const unsigned mask = in_l2 ? (1u << 12) - 1 : (1u << 21) - 1;  // 2 MiB, or 1 GiB
  Row row{"path_latency",
          std::string(path) + ", one warp, 512 B, " + (in_l2 ? "in L2" : "in DRAM"),
          "tiles/us",
          steps * 1e-6,
          "load, store, barrier by hand",
          {chain_side(path, kernel, mask)},
          {chain_side("ld and st", baseline::chain_by_hand, mask)}};
  if (in_l2) row.data = "L2-resident";
  row.flush = !in_l2;  // the chain is the same each time
  rows.add(std::move(row));
}

// ---- registers_freed: one kernel, tiles that travel through registers and those that do not ----

template <int W, int N, Path P>
Side occupied(const char* path) {
  const auto function = by_any_path<W, N, Via<P>>;
  const Kernel k = kernel(function, path, W, N, 2, 128, sizeof(tilepipe::Ring<WordStage<N>, 2>));
  tilepipe::host::prepare(function, k.shared_bytes);
  const int blocks = tilepipe::host::blocks_per_sm(function, k.threads, k.shared_bytes);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, k.function), path);
  Side side = stream_side(k, per_sm(blocks));
  side.config +=
      ", " + std::to_string(attributes.numRegs) + " registers, " + describe(per_sm(blocks));
  return side;
}

template <int W, int N>
void add_freed_row(Rows& rows) {
  Row row{"registers_freed",
          describe_tile(N, 2) + ", 128 threads, as many blocks as fit, W" + std::to_string(W),
          "GB/s",
          StreamData::gigabytes,
          "the same kernel, Via<Path::registers>",
          {occupied<W, N, Path::cp_async>("cp_async")},
          {occupied<W, N, Path::registers>("registers")}};
  rows.add(std::move(row));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  Rows rows;
  add_path_rows<1024, 1>(rows);
  add_path_rows<1024, 2>(rows);
  add_path_rows<1024, 4>(rows);
  add_path_rows<1024, 8>(rows);
  add_path_rows<4096, 2>(rows);
  add_path_rows<4096, 4>(rows);
  add_path_rows<4096, 8>(rows);
  for (const bool in_l2 : {true, false}) {
    add_latency_row(rows, "registers", chain<Via<Path::registers>>, in_l2);
    add_latency_row(rows, "cp_async", chain<Via<Path::cp_async>>, in_l2);
    add_latency_row(rows, "bulk", chain<Via<Path::bulk>>, in_l2);
  }
  add_freed_row<0, 2048>(rows);
  add_freed_row<64, 2048>(rows);
  add_freed_row<0, 4096>(rows);
  add_freed_row<64, 4096>(rows);
  return rows.run(argc, argv);
}
