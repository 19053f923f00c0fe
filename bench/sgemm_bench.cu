// SPDX-License-Identifier: Apache-2.0
// How fast is the fp32 GEMM of example 11, whose kernel file is timed here as it stands?
#include <memory>

#include "11_sgemm.cuh"
#include "sgemm_peers.hpp"
#include "support/device.hpp"
#include "support/measure.hpp"

namespace bench {
#ifndef TILEPIPE_BENCH_SGEMM_CUDA
std::vector<SgemmPeer> sgemm_cuda_peers(const SgemmProblem&) { return {}; }
#endif
namespace {

// cuBLAS's on an H200 at 4096^3, measured before; it stands in where the library is not found.
constexpr double published = 50.4;

__global__ void to_both_signs(float* values, size_t count) {
  const size_t step = gridDim.x * static_cast<size_t>(blockDim.x);
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count; i += step)
    values[i] = 2 * values[i] - 1;
}

// Sampled elements against sums in double: each addition rounds by at most 2^-24 of the sum so far.
constexpr int sampled = 1 << 14;
__global__ void compare(SgemmProblem p, unsigned* wrong) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t row = (i * 2654435761u >> 7) % p.size, col = (i * 2246822519u >> 9) % p.size;
  double sum = 0, sizes = 0;
  for (int k = 0; k < p.size; ++k) {
    const double x = double{p.a[row * p.size + k]} * p.b[static_cast<size_t>(k) * p.size + col];
    sum += x;
    sizes += fabs(x);
  }
  const double got = p.c[row * p.size + col];
  if (!(fabs(got - sum) <= ldexp(p.size * sizes, -24))) atomicAdd(wrong, 1u);
}

// Made when a row first runs.
struct Matrices {
  int size;
  Buffer a, b, c;
  explicit Matrices(int n) : size(n), a(count()), b(count()), c(count()) {
    unsigned seed = 3;
    for (Buffer* to : {&a, &b}) {
      fill_random(*to, seed++);
      to_both_signs<<<device().multiprocessors * 8, 256>>>(to->data(), to->count());
      check(cudaDeviceSynchronize(), "random data");
    }
  }
  std::size_t count() const { return static_cast<std::size_t>(size) * size; }
  SgemmProblem problem() const { return {a.data(), b.data(), c.data(), size}; }
  unsigned wrong() const {
    unsigned* count;
    unsigned value = 0;
    check(cudaMalloc(&count, sizeof *count), "cudaMalloc");
    check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
    compare<<<sampled / 128, 128>>>(problem(), count);
    check(cudaMemcpy(&value, count, sizeof value, cudaMemcpyDeviceToHost), "comparison");
    check(cudaFree(count), "cudaFree");
    return value;
  }
};
Matrices& matrices(int size) {
  static std::unique_ptr<Matrices> made;
  if (!made || made->size != size) made = std::make_unique<Matrices>(size);
  return *made;
}

// A large finite number: some of the peers read C, and multiply it by 0.
void poison(Buffer& c) {
  check(cudaMemset(c.data(), 0x7e, c.count() * sizeof(float)), "cudaMemset");
}

Side side(std::string name, int size, std::function<void(const SgemmProblem&)> launch) {
  return {std::move(name), [size, launch] { launch(matrices(size).problem()); },
          [size] { poison(matrices(size).c); }, [size] { return matrices(size).wrong(); }};
}

Row row(const char* name, int size, const char* peer) {
  Row r{name,
        "fp32, row-major, " + std::to_string(size) + " x " + std::to_string(size) + " x " +
            std::to_string(size),
        "TFLOP/s",
        2e-12 * size * size * size,
        peer,
        {},
        {}};
  r.flush = true;
  r.ours.push_back(side("example 11", size, [](const SgemmProblem& p) {
    const int n = p.size;
    check(example::sgemm({p.a, p.b, p.c, n, n, n, n, n, n}), "sgemm");
  }));
  return r;
}

void add_rows(Rows& rows, int size) {
  Row cublas = row("sgemm_4096", size, "cuBLAS, fp32 in pedantic mode");
  const SgemmPeer pedantic = cublas_pedantic();
  if (pedantic.launch)
    cublas.peers.push_back(side(pedantic.name, size, pedantic.launch));
  else
    cublas.peers.push_back(
        {"published figure, cuBLAS not found", nullptr, nullptr, nullptr, published});
  rows.add(std::move(cublas));

  Row others = row("sgemm_4096_sgemm_cuda", size, "the best of SGEMM_CUDA's kernels 10 and 12");
  const std::vector<SgemmPeer> peers = sgemm_cuda_peers({nullptr, nullptr, nullptr, size});
  for (const SgemmPeer& peer : peers) others.peers.push_back(side(peer.name, size, peer.launch));
  if (!peers.empty()) rows.add(std::move(others));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Rows rows;
  bench::add_rows(rows, 4096);
  return rows.run(argc, argv);
}
