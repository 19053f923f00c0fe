// SPDX-License-Identifier: Apache-2.0
// What does the handshake of a stage cost: empty compute, one block an SM, against the loop by
// hand?
#include "handshake.cuh"

#include <tilepipe/host/tensor_map.hpp>
#include <tilepipe/interop/libcudacxx.cuh>

#include <algorithm>
#include <cstring>

#include "baseline/handshake_specialized.cuh"
#include "baseline/handshake_tensor.cuh"
#include "support/device.hpp"
#include "support/measure.hpp"

namespace bench {
namespace {

using tilepipe::Block;
using tilepipe::CompleteBy;
using tilepipe::Completion;
using tilepipe::Path;
using tilepipe::Specialized;
using tilepipe::Via;
using Automatic = CompleteBy<Completion::automatic>;
using Groups = CompleteBy<Completion::groups>;
using Mbarrier = CompleteBy<Completion::mbarrier>;

constexpr int threads = 256;
constexpr int floats = threads * 4;
constexpr int tiles = 4096;  // of each block

// Blocks start 32 tiles apart: some 33 MiB, which stays in an L2 of 60 MB.
struct Data {
  long long count = (device().multiprocessors * 32ll + tiles) * floats;
  Buffer in{static_cast<std::size_t>(count)};
  Buffer out{static_cast<std::size_t>(device().multiprocessors) * floats};
  Data() { fill_random(in, 2); }
};
Data& data() {
  static Data d;
  return d;
}

// The last tile of each block, compared on the host.
unsigned count_wrong_last() {
  std::vector<float> in(data().in.count());
  std::vector<float> out(data().out.count());
  check(cudaMemcpy(in.data(), data().in.data(), in.size() * 4, cudaMemcpyDeviceToHost), "copy");
  check(cudaMemcpy(out.data(), data().out.data(), out.size() * 4, cudaMemcpyDeviceToHost), "copy");
  unsigned wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    wrong += out[i] != in[(i / floats * 32 + tiles - 1) * floats + i % floats];
  return wrong;
}

using Kernel = void (*)(const float*, float*, int);

Side side(const char* name, Kernel kernel, int block) {
  return {name,
          [kernel, block] {
            kernel<<<device().multiprocessors, block>>>(data().in.data(), data().out.data(), tiles);
          },
          [] { data().out.poison(); }, count_wrong_last};
}

// Both sides read the data as a matrix, by the same map.
using BoxSource = tilepipe::TensorSource<HandshakeBox<threads>>;
BoxSource box_source() {
  constexpr int cols = threads / 2;
  return tilepipe::host::tensor_source<HandshakeBox<threads>>(
      tilepipe::Source<float, 2>::pitched(data().in.data(), data().count / cols, cols, cols));
}
template <class Source>
Side tensor_side(const char* name, void (*kernel)(Source, float*, int), const Source& source) {
  return {name,
          [kernel, source] {
            kernel<<<device().multiprocessors, threads + 32>>>(source, data().out.data(), tiles);
          },
          [] { data().out.poison(); }, count_wrong_last};
}

void add_row(Rows& rows, const char* bench, const char* path, int stages, Side ours, Side by_hand) {
  Row row{bench,
          std::string(path) + ", " + std::to_string(stages) +
              " stages, 256 threads, 16 B a thread and tile, 1 block/SM",
          "tiles/us a block",
          tiles * 1e-6,
          "by hand",
          {std::move(ours)},
          {std::move(by_hand)}};
  row.data = "L2-resident";
  rows.add(std::move(row));
}

template <int S>
void add_rows(Rows& rows) {
  const char* const unified = "handshake_unified";
  add_row(rows, unified, "cp_async, groups", S,
          side("Block<256>", handshake<S, threads, Block<256>, Groups, Via<Path::cp_async>>, 256),
          side("cp.async by groups", baseline::handshake_groups<S, threads>, 256));
  add_row(rows, unified, "cp_async, mbarrier", S,
          side("Block<256>", handshake<S, threads, Block<256>, Mbarrier, Via<Path::cp_async>>, 256),
          side("cp.async on an mbarrier", baseline::handshake_cp_async_mbarrier<S, threads>, 256));
  add_row(rows, unified, "bulk", S,
          side("Block<256>", handshake<S, threads, Block<256>, Automatic, Via<Path::bulk>>, 256),
          side("bulk", baseline::handshake_bulk<S, threads>, 256));
  add_row(
      rows, unified, "registers", S,
      side("Block<256>", handshake<S, threads, Block<256>, Automatic, Via<Path::registers>>, 256),
      side("two-phase registers", baseline::handshake_registers<S, threads>, 256));
  add_row(
      rows, "handshake_libcudacxx", "libcudacxx", S,
      side("Block<256>", handshake<S, threads, Block<256>, Automatic, Via<Path::libcudacxx>>, 256),
      side("cp.async by groups", baseline::handshake_groups<S, threads>, 256));

  const char* const roles = "handshake_specialized";
  add_row(rows, roles, "bulk, 32 producers", S,
          side("Specialized<32, 256>",
               handshake<S, threads, Specialized<32, 256>, Automatic, Via<Path::bulk>>, 288),
          side("bulk, a producer warp", baseline::handshake_bulk_specialized<S, threads>, 288));
  add_row(rows, roles, "cp_async, 64 producers", S,
          side("Specialized<64, 256>",
               handshake<S, threads, Specialized<64, 256>, Automatic, Via<Path::cp_async>>, 320),
          side("cp.async, two producer warps",
               baseline::handshake_cp_async_specialized<S, 64, threads>, 320));
  add_row(rows, roles, "registers, 64 producers", S,
          side("Specialized<64, 256>",
               handshake<S, threads, Specialized<64, 256>, Automatic, Via<Path::registers>>, 320),
          side("registers, two producer warps",
               baseline::handshake_registers_specialized<S, 64, threads>, 320));

  const BoxSource source = box_source();
  CUtensorMap map;
  std::memcpy(&map, &source.map, sizeof map);
  add_row(rows, "handshake_tensor", "tensor, 32 producers", S,
          tensor_side("Specialized<32, 256>", handshake_tensor<S, threads>, source),
          tensor_side("tensor, a producer warp", baseline::handshake_tensor<S, threads>, map));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Rows rows;
  bench::add_rows<2>(rows);
  bench::add_rows<4>(rows);
  bench::add_rows<8>(rows);
  return rows.run(argc, argv);
}
