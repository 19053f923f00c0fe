// SPDX-License-Identifier: Apache-2.0
// What does a ring of stores do for a stream, and how fast are the rows of example 14?
#include <cmath>

#include "kernel.hpp"
#include "rows.cuh"
#include "store.cuh"

namespace bench {
namespace {

// ---- W64: bulk stores, from the stages or through a ring of their own, against plain ones ----

template <int N, int Stages, int Slots, class Team>
Kernel stored(const char* name, int threads) {
  return kernel(stream_stored<64, N, Stages, Slots, Team>, name, 64, N, Stages, threads,
                sizeof(StoreShared<N, Stages, Slots>));
}
template <int N, int Stages, class Team>
Kernel in_place(const char* name, int threads) {
  return kernel(stream_stored_in_place<64, N, Stages, Team>, name, 64, N, Stages, threads,
                sizeof(tilepipe::Ring<StreamStage<N>, Stages>));
}
template <int N, int Stages, class Team>
Kernel plain(const char* name, int threads) {
  constexpr Order order = usual_order<Team, tilepipe::Path::bulk>;
  return kernel(stream<order, 64, N, Stages, Team, tilepipe::Policy<>>, name, 64, N, Stages,
                threads, sizeof(tilepipe::Ring<StreamStage<N>, Stages>));
}

void add_store_row(Rows& rows) {
  using tilepipe::Block;
  using tilepipe::Specialized;
  Row row{"store_ring", "W64, best", "GB/s", StreamData::gigabytes, "plain stores, best", {}, {}};
  const auto add = [](std::vector<Side>& to, const Kernel& k) {
    for (const int blocks : {2, 3, 4, 8})
      if (blocks * (k.shared_bytes + 1024) <= 228 * 1024 && blocks * k.threads <= 2048)
        to.push_back(stream_side(k, per_sm(blocks), true));
    for (const int tiles : {4, 8, 12}) to.push_back(stream_side(k, tiles_per_block(tiles), true));
  };
  add(row.ours, in_place<2048, 2, Block<128>>("bulk stores from the stages, Block<128>", 128));
  add(row.ours, in_place<2048, 3, Block<128>>("bulk stores from the stages, Block<128>", 128));
  add(row.ours, in_place<4096, 3, Specialized<32, 256>>(
                    "bulk stores from the stages, Specialized<32, 256>", 288));
  add(row.ours, stored<2048, 2, 1, Block<128>>("bulk stores, 1 slot, Block<128>", 128));
  add(row.ours, stored<4096, 2, 2, Block<256>>("bulk stores, 2 slots, Block<256>", 256));
  add(row.ours,
      stored<4096, 2, 2, Specialized<32, 256>>("bulk stores, 2 slots, Specialized<32, 256>", 288));
  add(row.peers, plain<2048, 2, Block<128>>("plain stores, Block<128>", 128));
  add(row.peers, plain<2048, 3, Block<128>>("plain stores, Block<128>", 128));
  add(row.peers, plain<4096, 2, Block<256>>("plain stores, Block<256>", 256));
  add(row.peers, plain<4096, 3, Block<256>>("plain stores, Block<256>", 256));
  add(row.peers, plain<4096, 3, Specialized<32, 256>>("plain stores, Specialized<32, 256>", 288));
  rows.add(std::move(row));
}

// ---- rows of example 14, against a copy of as many bytes ----

using bf16 = __nv_bfloat16;
constexpr std::size_t elements = std::size_t{row_count} * row_cols;

__global__ void to_bf16(const float* from, bf16* to, std::size_t count, float limit) {
  const std::size_t step = gridDim.x * static_cast<std::size_t>(blockDim.x);
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count;
       i += step)
    to[i] = __float2bfloat16_rn(limit * (2 * from[i] - 1));
}

// A block a row, in double; bf16 rounds to within 2^-8.
template <bool Softmax>
__global__ void compare(const bf16* in, const bf16* weight, const bf16* out, unsigned* wrong) {
  __shared__ double partial[256];
  const bf16* x = in + std::size_t{blockIdx.x} * row_cols;
  const bf16* y = out + std::size_t{blockIdx.x} * row_cols;
  double sum = 0;
  for (int i = threadIdx.x; i < row_cols; i += 256) {
    const double v = __bfloat162float(x[i]);
    sum += Softmax ? exp(v) : v * v;
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (const double p : partial) sum += p;
  const double scale = Softmax ? 1 / sum : 1 / sqrt(sum / row_cols + 1e-6);
  for (int i = threadIdx.x; i < row_cols; i += 256) {
    const double v = __bfloat162float(x[i]);
    const double right = scale * (Softmax ? exp(v) : v * __bfloat162float(weight[i]));
    if (!(fabs(__bfloat162float(y[i]) - right) <= fabs(right) * 0.004)) atomicAdd(wrong, 1u);
  }
}

// bf16 in the space of half as many floats.
struct RowData {
  Buffer in{elements / 2}, out{elements / 2}, weight{row_cols / 2};
  RowData() {
    Buffer random(elements);
    fill_random(random, 14);
    for (Buffer* to : {&in, &weight})
      to_bf16<<<device().multiprocessors * 8, 256>>>(random.data(), as_bf16(*to), 2 * to->count(),
                                                     to == &in ? 8.0f : 1.0f);
    check(cudaDeviceSynchronize(), "random data");
  }
  static bf16* as_bf16(const Buffer& b) { return reinterpret_cast<bf16*>(b.data()); }
};
RowData& data() {
  static RowData made;
  return made;
}

template <bool Softmax>
unsigned count_wrong_rows() {
  unsigned* count;
  unsigned value = 0;
  check(cudaMalloc(&count, sizeof *count), "cudaMalloc");
  check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
  compare<Softmax><<<row_count, 256>>>(RowData::as_bf16(data().in), RowData::as_bf16(data().weight),
                                       RowData::as_bf16(data().out), count);
  check(cudaMemcpy(&value, count, sizeof value, cudaMemcpyDeviceToHost), "comparison");
  check(cudaFree(count), "cudaFree");
  return value;
}

template <class Norm>
void add_rows_row(Rows& rows, const char* name) {
  constexpr bool softmax = tilepipe::is_same<Norm, example::Softmax>;
  Row row{name, "bf16, 32768 x 8192", "GB/s", 4e-9 * elements, "device copy", {}, {}};
  row.ours.push_back({"example 14",
                      [] {
                        launch_rows<Norm>(RowData::as_bf16(data().in),
                                          RowData::as_bf16(data().weight),
                                          RowData::as_bf16(data().out));
                      },
                      [] { data().out.poison(); }, [] { return count_wrong_rows<softmax>(); }});
  row.peers.push_back({"device copy",
                       [] {
                         check(cudaMemcpyAsync(data().out.data(), data().in.data(), elements * 2,
                                               cudaMemcpyDeviceToDevice),
                               "cudaMemcpyAsync");
                       },
                       nullptr, nullptr});
  rows.add(std::move(row));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Rows rows;
  bench::add_store_row(rows);
  bench::add_rows_row<example::Softmax>(rows, "softmax_rows");
  bench::add_rows_row<example::RmsNorm>(rows, "rmsnorm_rows");
  return rows.run(argc, argv);
}
