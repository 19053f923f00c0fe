// SPDX-License-Identifier: Apache-2.0
// How fast are the products of example 12, whose kernel file is timed here as it stands, beside the
// kernel that they re-express?
#include <cmath>

#include "12_bgmv.cuh"
#include "bgmv_punica.hpp"
#include "support/device.hpp"
#include "support/measure.hpp"

namespace bench {
#ifdef TILEPIPE_BENCH_PUNICA
constexpr bool peer_built = true;
#else
constexpr bool peer_built = false;
bool punica_bgmv(const BgmvProblem&) { return false; }
#endif
namespace {

// A sample walks the layers of a model, each with weights of its own, which L2 does not have.
constexpr int layers = 16, adapters = 64, most_batch = 64, most_in = 11008, most_out = 64;
constexpr float scale = 1.0f / 64;
enum class Kind { same, different, zipf };

__global__ void to_fp16(const float* from, __half* to, std::size_t count) {
  const std::size_t step = gridDim.x * static_cast<std::size_t>(blockDim.x);
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count;
       i += step)
    to[i] = __float2half_rn(2 * from[i] - 1);
}

// An output each block: the layers' products in fp64, against sums that were rounded to fp16 after
// each layer.
__global__ void compare(const BgmvProblem p, unsigned* wrong) {
  const int b = blockIdx.y, j = blockIdx.x;
  const auto x = static_cast<const __half*>(p.x) + static_cast<std::size_t>(b) * p.in;
  const long long adapter = static_cast<const long long*>(p.adapter)[b];
  __shared__ double parts[128];
  double sum = 0, largest = 0;
  for (int layer = 0; layer < p.layers; ++layer) {
    const auto w = static_cast<const __half*>(p.w) +
                   ((adapter * p.layers + layer) * p.out + j) * static_cast<long long>(p.in);
    double part = 0;
    for (int k = threadIdx.x; k < p.in; k += blockDim.x)
      part += static_cast<double>(__half2float(w[k])) * __half2float(x[k]);
    parts[threadIdx.x] = part;
    __syncthreads();
    for (int i = 0; i < static_cast<int>(blockDim.x); ++i) sum += p.scale * parts[i];
    largest = fmax(largest, fabs(sum));
    __syncthreads();
  }
  const double got = __half2float(static_cast<const __half*>(p.y)[b * p.out + j]);
  if (threadIdx.x == 0 && !(fabs(got - sum) <= layers * (largest / 1024 + 1e-4)))
    atomicAdd(wrong, 1u);
}

// Halves in the space of floats.
struct Data {
  Buffer w{std::size_t{adapters} * layers * most_out * 4096 / 2}, x{most_batch * most_in / 2};
  Buffer y{most_batch * most_out / 2}, index{most_batch * 2};

  Data() {
    Buffer random(w.count() * 2);
    unsigned seed = 8;
    for (Buffer* to : {&w, &x}) {
      fill_random(random, seed++);
      to_fp16<<<device().multiprocessors * 8, 256>>>(
          random.data(), reinterpret_cast<__half*>(to->data()), to->count() * 2);
      check(cudaDeviceSynchronize(), "random data");
    }
  }
  BgmvProblem problem(int in, int out, int batch) const {
    return {y.data(), x.data(), w.data(), index.data(), batch, in, out, layers, 0, scale};
  }
  // Before a side is checked: y is zeros, and the requests name their adapters.
  void begin(int batch, Kind kind) const {
    std::vector<long long> adapter(batch);
    double total = 0;
    for (int a = 1; a <= adapters; ++a) total += std::pow(a, -1.5);
    for (int b = 0; b < batch; ++b) {
      // The adapter at which the sum of a^-1.5 passes the request's even share.
      int a = 0;
      double left = total * (b * 37 % batch + 0.5) / batch;
      while (a + 1 < adapters && (left -= std::pow(a + 1, -1.5)) > 0) ++a;
      adapter[b] = kind == Kind::same ? 0 : kind == Kind::different ? b * 37 % adapters : a;
    }
    check(
        cudaMemcpy(index.data(), adapter.data(), batch * sizeof(long long), cudaMemcpyHostToDevice),
        "adapters");
    check(cudaMemset(y.data(), 0, y.count() * sizeof(float)), "cudaMemset");
  }
  unsigned wrong(const BgmvProblem& p) const {
    unsigned* count;
    unsigned value = 0;
    check(cudaMalloc(&count, sizeof *count), "cudaMalloc");
    check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
    compare<<<dim3(p.out, p.batch), 128>>>(p, count);
    check(cudaMemcpy(&value, count, sizeof value, cudaMemcpyDeviceToHost), "comparison");
    check(cudaFree(count), "cudaFree");
    return value;
  }
};
Data& data() {
  static Data made;
  return made;
}

void launch_ours(BgmvProblem p) {
  for (p.layer = 0; p.layer < p.layers; ++p.layer)
    check(example::bgmv({static_cast<__half*>(p.y), static_cast<const __half*>(p.x),
                         static_cast<const __half*>(p.w), static_cast<const long long*>(p.adapter),
                         p.batch, p.in, p.out, adapters, p.layers, p.layer, p.scale}),
          "bgmv");
}
void launch_punica(BgmvProblem p) {
  for (p.layer = 0; p.layer < p.layers; ++p.layer) punica_bgmv(p);
}

void add_row(Rows& rows, int in, int out, int batch, Kind kind) {
  if (!peer_built) return;  // and no published figure to stand in
  const char* names[] = {"one adapter", "an adapter each", "Zipf's adapters"};
  Row row{batch == 1 ? "bgmv_batch_1" : "bgmv",
          std::to_string(in) + " -> " + std::to_string(out) + ", batch " + std::to_string(batch) +
              (batch == 1 ? "" : std::string(", ") + names[static_cast<int>(kind)]),
          "layers/ms",
          1e-3 * layers,
          "punica's bgmv_shrink_kernel",
          {},
          {}};
  row.flush = true;
  const auto side = [&](std::string name, void (*launch)(BgmvProblem)) {
    return Side{std::move(name), [=] { launch(data().problem(in, out, batch)); },
                [=] { data().begin(batch, kind); },
                [=] { return data().wrong(data().problem(in, out, batch)); }};
  };
  row.ours.push_back(side("example 12", launch_ours));
  row.peers.push_back(side("bgmv_shrink_kernel", launch_punica));
  rows.add(std::move(row));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  Rows rows;
  const int shapes[][2] = {{4096, 16}, {4096, 64}, {11008, 16}};
  for (const auto& shape : shapes)
    for (const int batch : {1, 2, 4, 8, 16, 32, 64})
      for (const Kind kind : {Kind::same, Kind::different, Kind::zipf})
        if (batch > 1 || kind == Kind::same) add_row(rows, shape[0], shape[1], batch, kind);
  return rows.run(argc, argv);
}
