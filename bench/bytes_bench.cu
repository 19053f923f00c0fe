// SPDX-License-Identifier: Apache-2.0
// How fast does example 05 copy between addresses of any alignment? Its kernel file is timed here
// as it stands.
#include "05_any_alignment.cuh"
#include "support/device.hpp"
#include "support/measure.hpp"

namespace bench {
namespace {

constexpr long long all_bytes = 1ll << 30, padding = 256;

// Bytes that differ, and poison that was written over: 64 bytes before and behind the run.
__global__ void compare(const unsigned char* to, const unsigned char* from, long long bytes,
                        unsigned* wrong) {
  for (long long i = blockIdx.x * 1ll * blockDim.x + threadIdx.x - 64; i < bytes + 64;
       i += gridDim.x * 1ll * blockDim.x)
    if (to[i] != (i >= 0 && i < bytes ? from[i] : 0xff)) atomicAdd(wrong, 1u);
}

struct Data {
  Buffer from{(all_bytes + 2 * padding) / 4}, to{from.count()};
  Data() { fill_random(from, 6); }
  const unsigned char* source(int offset) const {
    return reinterpret_cast<const unsigned char*>(from.data()) + padding + offset;
  }
  unsigned char* target(int offset) const {
    return reinterpret_cast<unsigned char*>(to.data()) + padding + offset;
  }
  unsigned wrong(int to_offset, int from_offset, long long bytes) const {
    unsigned* count;
    unsigned value = 0;
    check(cudaMalloc(&count, sizeof *count), "cudaMalloc");
    check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
    compare<<<device().multiprocessors * 8, 256>>>(target(to_offset), source(from_offset), bytes,
                                                   count);
    check(cudaMemcpy(&value, count, sizeof value, cudaMemcpyDeviceToHost), "comparison");
    check(cudaFree(count), "cudaFree");
    return value;
  }
};
Data& data() {
  static Data made;
  return made;
}

// One copy, or several of neighbouring runs, of all_bytes together or, if that is less, of `bytes`.
template <class Copy>
Side side(std::string name, int to, int from, long long bytes, Copy copy) {
  const long long total = bytes < (64 << 20) ? bytes : all_bytes;
  return {std::move(name),
          [=] {
            for (long long at = 0; at < total; at += bytes)
              check(copy(data().target(to) + at, data().source(from) + at, bytes), "copy");
          },
          [] { data().to.poison(); }, [=] { return data().wrong(to, from, total); }};
}
Side ours(int to, int from, long long bytes) {
  return side("example 05, from " + std::to_string(from) + " to " + std::to_string(to), to, from,
              bytes,
              [](void* d, const void* s, long long n) { return example::copy_bytes(d, s, n); });
}
Side device_copy(int to, int from, long long bytes) {
  return side("device copy", to, from, bytes, [](void* d, const void* s, long long n) {
    return cudaMemcpyAsync(d, s, static_cast<std::size_t>(n), cudaMemcpyDeviceToDevice);
  });
}

std::string size_name(long long bytes) {
  return bytes >= 1 << 20 ? std::to_string(bytes >> 20) + " MiB"
                          : std::to_string(bytes >> 10) + " KiB";
}

// All pairs of offsets with one of the destination; the slowest counts.
void add_pairs(Rows& rows, long long bytes, int to) {
  Row row{
      "bytes_copy",
      size_name(bytes) + ", 16 offsets of the source, the slowest, to offset " + std::to_string(to),
      "GB/s",
      2e-9 * all_bytes,
      "device copy of 1 GiB, aligned",
      {},
      {device_copy(0, 0, all_bytes)}};
  row.slowest = true;
  for (int from = 0; from < 16; ++from) row.ours.push_back(ours(to, from, bytes));
  rows.add(std::move(row));
}

void add_pair(Rows& rows, std::string bench, long long bytes, int to, int from) {
  const bool small = bytes < 64 << 20;
  Row row{std::move(bench),
          size_name(bytes) + ", from offset " + std::to_string(from) + " to " + std::to_string(to),
          "GB/s",
          2e-9 * static_cast<double>(bytes),
          "device copy between the same addresses",
          {ours(to, from, bytes)},
          {device_copy(to, from, bytes)}};
  if (small) row.data = "L2-resident";
  rows.add(std::move(row));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  Rows rows;
  for (const long long bytes : {256ll << 20, all_bytes})
    for (int to = 0; to < 16; ++to) add_pairs(rows, bytes, to);
  for (const int to : {0, 1, 4}) add_pair(rows, "bytes_copy_same", all_bytes, to, 0);
  for (const long long bytes : {4ll << 10, 64ll << 10, 1ll << 20, 16ll << 20})
    for (const int to : {0, 1}) add_pair(rows, "bytes_copy_small", bytes, to, 0);
  return rows.run(argc, argv);
}
