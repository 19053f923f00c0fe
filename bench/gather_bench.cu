// SPDX-License-Identifier: Apache-2.0
// How fast are the embedding bags of example 04, whose kernel file is timed here as it stands?
#include "04_gather_rows.cuh"
#include "baseline/bag_direct.cuh"
#include "support/device.hpp"
#include "support/measure.hpp"

namespace bench {
namespace {

constexpr int cols = 128, bag_size = 32;
constexpr std::size_t table_rows = std::size_t{4} << 20, indices = std::size_t{2} << 20;
constexpr std::size_t bags = indices / bag_size;
// Rows read and bags written; the indices, 4 bytes each, are not counted.
constexpr double bytes = (indices + bags) * cols * 4.0;

__global__ void make_indices(const float* random, int* index, long long* first) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < indices;
       i += gridDim.x * blockDim.x) {
    index[i] = static_cast<int>(random[i] * table_rows);
    if (i <= bags) first[i] = static_cast<long long>(i * bag_size);
  }
}

// A column each thread, rows in their order, as the kernels add them: so bits agree.
__global__ void compare(const float* table, const int* index, const float* out, unsigned* wrong) {
  for (std::size_t bag = blockIdx.x; bag < bags; bag += gridDim.x) {
    float sum = 0;
    for (int i = 0; i < bag_size; ++i)
      sum += table[index[bag * bag_size + i] * std::size_t{cols} + threadIdx.x];
    if (out[bag * cols + threadIdx.x] != sum) atomicAdd(wrong, 1u);
  }
}

struct Data {
  Buffer table{table_rows * cols}, index{indices}, first{(bags + 1) * 2}, out{bags * cols};
  Buffer copy{static_cast<std::size_t>(bytes / 8)};  // half of the bytes

  Data() {
    Buffer random(indices);
    fill_random(table, 1);
    fill_random(random, 2);
    make_indices<<<device().multiprocessors * 8, 256>>>(random.data(),
                                                        reinterpret_cast<int*>(index.data()),
                                                        reinterpret_cast<long long*>(first.data()));
    check(cudaDeviceSynchronize(), "indices");
  }
  const int* rows() const { return reinterpret_cast<const int*>(index.data()); }
  unsigned wrong() const {
    unsigned* count;
    unsigned value = 0;
    check(cudaMalloc(&count, sizeof *count), "cudaMalloc");
    check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
    compare<<<device().multiprocessors * 8, cols>>>(table.data(), rows(), out.data(), count);
    check(cudaMemcpy(&value, count, sizeof value, cudaMemcpyDeviceToHost), "comparison");
    check(cudaFree(count), "cudaFree");
    return value;
  }
};
Data& data() {
  static Data made;
  return made;
}

Side side(std::string name, std::function<void()> launch) {
  return {std::move(name), std::move(launch), [] { data().out.poison(); },
          [] { return data().wrong(); }};
}

template <int Rows>
Side direct() {
  return side("direct, " + std::to_string(Rows) + " rows at once", [] {
    bag_direct<Rows><<<bags / 4, 128>>>(data().table.data(), data().rows(), data().out.data());
  });
}

void add_row(Rows& rows, std::string bench, std::string peer, std::vector<Side> peers) {
  Row row{std::move(bench), "4 M rows x 512 B, 2 M uniform random indices, bags of 32",
          "GB/s",           bytes * 1e-9,
          std::move(peer),  {},
          std::move(peers)};
  row.ours.push_back(side("example 04", [] {
    using Shape = example::BagShape<float, cols, int>;
    const Data& d = data();
    check(example::pool_bags<Shape>({d.table.data(), table_rows, d.rows(), nullptr,
                                     reinterpret_cast<const long long*>(d.first.data()), bags,
                                     indices, example::Pooling::sum, d.out.data()}),
          "pool_bags");
  }));
  rows.add(std::move(row));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  Rows rows;
  add_row(rows, "gather_bag", "device copy of as many bytes",
          {{"device copy",
            [] {
              const Data& d = data();
              check(cudaMemcpyAsync(d.copy.data(), d.table.data(), d.copy.count() * sizeof(float),
                                    cudaMemcpyDeviceToDevice),
                    "cudaMemcpyAsync");
            },
            nullptr, nullptr}});
  add_row(rows, "gather_bag_direct", "the same without stages",
          {direct<8>(), direct<16>(), direct<32>()});
  return rows.run(argc, argv);
}
