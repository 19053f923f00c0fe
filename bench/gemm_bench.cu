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
std::vector<GemmPeer> cutlass_split_peers(const Problem&) { return {}; }
#endif
namespace {

using example::bf16;

// m x k times k x n, and what CUTLASS's best reached on an H200, which stands in where it is not
// built; 0 where that was not measured: then there is no row.
struct Extents {
  int m, n, k;
  double published;
};

__global__ void to_bf16(const float* from, bf16* to, size_t count) {
  const size_t step = gridDim.x * static_cast<size_t>(blockDim.x);
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count; i += step)
    to[i] = __float2bfloat16_rn(2 * from[i] - 1);
}

// Sampled elements against sums in double: fp32 sums differ in their last bits, then comes the
// rounding to bf16.
constexpr int sampled = 1 << 14;
__global__ void compare(example::Gemm g, unsigned* wrong) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t row = (i * 2654435761u >> 7) % g.m;
  const size_t col = (i * 2246822519u >> 9) % g.n;
  double sum = 0;
  for (int k = 0; k < g.k; ++k)
    sum += static_cast<double>(__bfloat162float(g.a[row * g.lda + k])) *
           __bfloat162float(g.b[col * g.ldb + k]);
  const double got = __bfloat162float(g.c[row * g.ldc + col]);
  if (!(fabs(got - sum) <= fabs(sum) / 256 + 1e-5 * g.k)) atomicAdd(wrong, 1u);
}

struct Matrices {
  Extents extents;
  Buffer a, b, c;  // bf16 in the space of half as many floats
  Buffer sums;     // of slices

  explicit Matrices(const Extents& e)
      : extents(e),
        a(floats(e.m, e.k)),
        b(floats(e.n, e.k)),
        c(floats(e.m, e.n)),
        sums(4 * support::slices_space()) {
    for (Buffer* to : {&a, &b}) {
      Buffer random(2 * to->count());
      fill_random(random, to == &a ? 3 : 4);
      to_bf16<<<device().multiprocessors * 8, 256>>>(
          random.data(), reinterpret_cast<bf16*>(to->data()), random.count());
      check(cudaDeviceSynchronize(), "random data");
    }
  }
  static std::size_t floats(int rows, int cols) {
    return (static_cast<std::size_t>(rows) * cols + 1) / 2;
  }
  example::Gemm gemm(bool slices = false) const {
    const Extents& e = extents;
    return {reinterpret_cast<const bf16*>(a.data()),
            reinterpret_cast<const bf16*>(b.data()),
            reinterpret_cast<bf16*>(c.data()),
            e.m,
            e.n,
            e.k,
            e.k,
            e.k,
            e.n,
            slices ? reinterpret_cast<float4*>(sums.data()) : nullptr};
  }
  Problem problem() const {
    return {a.data(), b.data(), c.data(), extents.m, extents.n, extents.k};
  }
  unsigned wrong() const {
    unsigned* count;
    unsigned value = 0;
    check(cudaMalloc(&count, sizeof *count), "cudaMalloc");
    check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
    compare<<<sampled / 128, 128>>>(gemm(), count);
    check(cudaMemcpy(&value, count, sizeof value, cudaMemcpyDeviceToHost), "comparison");
    check(cudaFree(count), "cudaFree");
    return value;
  }
};

// The sides of one product, whose matrices are made when a row first runs.
class Sides {
 public:
  explicit Sides(const Extents& e) : extents_(e) {}

  Side ours(std::string config, bool slices) const {
    return side(std::move(config), [made = made_, e = extents_, slices] {
      check(example::gemm(get(made, e).gemm(slices)), "gemm");
    });
  }
  std::vector<Side> cutlass(std::vector<GemmPeer> (*peers)(const Problem&)) const {
    std::vector<Side> sides;
    const auto named = peers({nullptr, nullptr, nullptr, extents_.m, extents_.n, extents_.k});
    for (std::size_t i = 0; i < named.size(); ++i) {
      std::shared_ptr<GemmPeer> bound;
      sides.push_back(side(named[i].name, [made = made_, e = extents_, peers, i, bound]() mutable {
        if (!bound) bound = std::make_shared<GemmPeer>(peers(get(made, e).problem())[i]);
        bound->launch();
      }));
    }
    return sides;
  }

 private:
  using Made = std::shared_ptr<std::unique_ptr<Matrices>>;
  static Matrices& get(const Made& made, const Extents& e) {
    if (!*made) *made = std::make_unique<Matrices>(e);
    return **made;
  }
  Side side(std::string config, std::function<void()> launch) const {
    return {std::move(config), std::move(launch),
            [made = made_, e = extents_] { get(made, e).c.poison(); },
            [made = made_, e = extents_] { return get(made, e).wrong(); }};
  }

  Extents extents_;
  Made made_ = std::make_shared<std::unique_ptr<Matrices>>();
};

void add_row(Rows& rows, const char* name, const Extents& e, const char* peer,
             std::vector<Side> ours, std::vector<Side> peers) {
  Row row{name,
          "bf16, A row-major, B column-major, " + std::to_string(e.m) + " x " +
              std::to_string(e.n) + " x " + std::to_string(e.k),
          "TFLOP/s",
          2e-12 * e.m * e.n * e.k,
          peer,
          std::move(ours),
          std::move(peers)};
  row.flush = true;
  rows.add(std::move(row));
}

void add_sm80_row(Rows& rows, const char* name, const Extents& e) {
  const Sides sides(e);
  std::vector<Side> peers = sides.cutlass(cutlass_peers);
  if (peers.empty()) {
    if (e.published == 0) return;
    peers.push_back(
        {"published figure, CUTLASS not built", nullptr, nullptr, nullptr, e.published});
  }
  add_row(rows, name, e,
          e.k % 8 == 0 ? "CUTLASS's best sm_80 multistage kernel"
                       : "CUTLASS's best sm_80 two-stage kernel of alignment 1",
          {sides.ours("example 03", false)}, std::move(peers));
}

// Few patches and a long K, or some patches more than rounds of them.
void add_split_rows(Rows& rows, const Extents& e) {
  const Sides sides(e);
  add_row(rows, "gemm_split_k", e, "the same without slices along K",
          {sides.ours("example 03", true)}, {sides.ours("example 03 without slices", false)});
  std::vector<Side> peers = sides.cutlass(cutlass_split_peers);
  if (peers.empty()) return;
  add_row(rows, "gemm_split_k_cutlass", e, "CUTLASS's best sm_80 kernel, 1 to 32 slices",
          {sides.ours("example 03", true)}, std::move(peers));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Rows rows;
  bench::add_sm80_row(rows, "gemm_sm80_4096", {4096, 4096, 4096, 459});
  bench::add_sm80_row(rows, "gemm_sm80_8192", {8192, 8192, 8192, 443});
  bench::add_sm80_row(rows, "gemm_sm80_odd", {8191, 4104, 4096, 0});
  bench::add_sm80_row(rows, "gemm_sm80_odd_small", {1000, 3000, 2048, 0});
  bench::add_sm80_row(rows, "gemm_sm80_odd_unaligned", {4095, 4095, 4095, 0});
  for (const bench::Extents& e : {bench::Extents{512, 512, 4096, 0},
                                  {1024, 1024, 4096, 0},
                                  {256, 4096, 8192, 0},
                                  {128, 128, 16384, 0},
                                  {2048, 2304, 4096, 0}})
    bench::add_split_rows(rows, e);
  return rows.run(argc, argv);
}
