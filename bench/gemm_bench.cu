// SPDX-License-Identifier: Apache-2.0
// How fast is the Tensor Core GEMM of example 03, whose kernel file is timed here as it stands?
#include <memory>

#include "03_gemm_tensor_core.cuh"
#include "gemm_cutlass.hpp"
#include "support/device.hpp"
#include "support/measure.hpp"

namespace bench {
#ifndef TILEPIPE_BENCH_CUTLASS
std::vector<GemmPeer> cutlass_peers(const Problem&) { return {}; }
#endif
namespace {

using example::bf16;

// CUTLASS's best on an H200 at these sizes, measured before; they stand in where it is not built.
constexpr double published(int size) { return size == 4096 ? 459 : 443; }

__global__ void to_bf16(const float* from, bf16* to, size_t count) {
  const size_t step = gridDim.x * static_cast<size_t>(blockDim.x);
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count; i += step)
    to[i] = __float2bfloat16_rn(2 * from[i] - 1);
}

// Sampled elements against sums in double: fp32 sums differ in their last bits, then comes the
// rounding to bf16.
constexpr int sampled = 1 << 14;
__global__ void compare(const bf16* a, const bf16* b, const bf16* c, int size, unsigned* wrong) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t row = (i * 2654435761u >> 7) % size;
  const size_t col = (i * 2246822519u >> 9) % size;
  double sum = 0;
  for (int k = 0; k < size; ++k)
    sum += static_cast<double>(__bfloat162float(a[row * size + k])) *
           __bfloat162float(b[col * size + k]);
  const double got = __bfloat162float(c[row * size + col]);
  if (!(fabs(got - sum) <= fabs(sum) / 256 + 1e-5 * size)) atomicAdd(wrong, 1u);
}

struct Matrices {
  int size;
  Buffer a, b, c;  // bf16 in the space of half as many floats

  explicit Matrices(int n) : size(n), a(floats()), b(floats()), c(floats()) {
    Buffer random(static_cast<std::size_t>(n) * n);
    for (Buffer* to : {&a, &b}) {
      fill_random(random, to == &a ? 3 : 4);
      to_bf16<<<device().multiprocessors * 8, 256>>>(
          random.data(), reinterpret_cast<bf16*>(to->data()), random.count());
      check(cudaDeviceSynchronize(), "random data");
    }
  }
  std::size_t floats() const { return static_cast<std::size_t>(size) * size / 2; }
  example::Gemm gemm() const {
    return {reinterpret_cast<const bf16*>(a.data()),
            reinterpret_cast<const bf16*>(b.data()),
            reinterpret_cast<bf16*>(c.data()),
            size,
            size,
            size,
            size,
            size,
            size};
  }
  unsigned wrong() const {
    unsigned* count;
    unsigned value = 0;
    check(cudaMalloc(&count, sizeof *count), "cudaMalloc");
    check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
    const example::Gemm g = gemm();
    compare<<<sampled / 128, 128>>>(g.a, g.b, g.c, size, count);
    check(cudaMemcpy(&value, count, sizeof value, cudaMemcpyDeviceToHost), "comparison");
    check(cudaFree(count), "cudaFree");
    return value;
  }
};

// The matrices are made when a row first runs.
Matrices& matrices(int size) {
  static std::vector<std::unique_ptr<Matrices>> made;
  for (const auto& m : made)
    if (m->size == size) return *m;
  made.push_back(std::make_unique<Matrices>(size));
  return *made.back();
}

Side side(std::string name, int size, std::function<void()> launch) {
  return {std::move(name), std::move(launch), [size] { matrices(size).c.poison(); },
          [size] { return matrices(size).wrong(); }};
}

void add_row(Rows& rows, int size) {
  Row row{"gemm_sm80_first",
          "bf16, A row-major, B column-major, " + std::to_string(size) + "^3",
          "TFLOP/s",
          2e-12 * size * size * size,
          "CUTLASS's best sm_80 multistage kernel",
          {},
          {}};
  row.flush = true;
  row.ours.push_back(
      side("example 03", size, [size] { check(example::gemm(matrices(size).gemm()), "gemm"); }));
  const std::size_t peers = cutlass_peers({nullptr, nullptr, nullptr, size}).size();
  for (std::size_t i = 0; i < peers; ++i) {
    std::string name = cutlass_peers({nullptr, nullptr, nullptr, size})[i].name;
    std::shared_ptr<GemmPeer> bound;
    row.peers.push_back(side(std::move(name), size, [size, i, bound]() mutable {
      if (!bound) {
        const example::Gemm g = matrices(size).gemm();
        bound = std::make_shared<GemmPeer>(cutlass_peers({g.a, g.b, g.c, size})[i]);
      }
      bound->launch();
    }));
  }
  if (peers == 0)
    row.peers.push_back(
        {"published figure, CUTLASS not built", nullptr, nullptr, nullptr, published(size)});
  rows.add(std::move(row));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Rows rows;
  bench::add_row(rows, 4096);
  bench::add_row(rows, 8192);
  return rows.run(argc, argv);
}
