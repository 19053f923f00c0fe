// SPDX-License-Identifier: Apache-2.0
// How fast is the attention of one token of example 13, whose kernel file is timed here as it
// stands?
#include <cmath>

#include "13_decode_attention.cuh"
#include "decode_flashinfer.hpp"
#include "support/device.hpp"
#include "support/measure.hpp"

namespace bench {
#ifndef TILEPIPE_BENCH_FLASHINFER
std::function<void()> flashinfer_decode(const DecodeProblem&, void*) { return nullptr; }
#endif
namespace {

using example::head_dim;
constexpr int most_keys = 131072, most_heads = 32;

// Large queries, so that a few keys have most of the weight, and one that is lost is seen.
constexpr float query_limit = 16;
const float scale = 1 / std::sqrt(static_cast<float>(head_dim));

__global__ void to_fp16(const float* from, __half* to, std::size_t count, float limit) {
  const std::size_t step = gridDim.x * static_cast<std::size_t>(blockDim.x);
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count;
       i += step)
    to[i] = __float2half_rn(limit * (2 * from[i] - 1));
}

// Weights of all keys in fp64, for a head each block.
__global__ void weigh(const DecodeProblem p, double* weights) {
  const int head = blockIdx.x, kv_head = head / (p.heads / p.kv_heads);
  const __half* q = static_cast<const __half*>(p.q) + head * head_dim;
  double* mine = weights + static_cast<std::size_t>(head) * p.kv_len;
  __shared__ double highest[256];
  double high = -1e300;
  for (int key = threadIdx.x; key < p.kv_len; key += blockDim.x) {
    const __half* k = static_cast<const __half*>(p.k) +
                      (static_cast<std::size_t>(key) * p.kv_heads + kv_head) * head_dim;
    double sum = 0;
    for (int i = 0; i < head_dim; ++i)
      sum += static_cast<double>(__half2float(q[i])) * __half2float(k[i]);
    mine[key] = sum * p.scale;
    high = fmax(high, mine[key]);
  }
  highest[threadIdx.x] = high;
  __syncthreads();
  for (int i = 0; i < static_cast<int>(blockDim.x); ++i) high = fmax(high, highest[i]);
  for (int key = threadIdx.x; key < p.kv_len; key += blockDim.x) mine[key] = exp(mine[key] - high);
}
// Outputs that are further off than weights and outputs of fp16 explain.
__global__ void compare(const DecodeProblem p, const double* weights, unsigned* wrong) {
  const int head = blockIdx.x, kv_head = head / (p.heads / p.kv_heads), col = threadIdx.x;
  double total = 0, sum = 0, absolute = 0;
  for (int key = 0; key < p.kv_len; ++key) {
    const double weight = weights[static_cast<std::size_t>(head) * p.kv_len + key];
    const double value = __half2float(static_cast<const __half*>(
        p.v)[(static_cast<std::size_t>(key) * p.kv_heads + kv_head) * head_dim + col]);
    total += weight;
    sum += weight * value;
    absolute += weight * fabs(value);
  }
  const double got = __half2float(static_cast<const __half*>(p.out)[head * head_dim + col]);
  if (!(fabs(got - sum / total) <= (absolute + fabs(sum)) / total / 1024)) atomicAdd(wrong, 1u);
}

// Space for the longest sequence; shorter ones are its beginning. Halves in the space of floats.
struct Cache {
  Buffer q{most_heads * head_dim / 2}, out{most_heads * head_dim / 2};
  Buffer k{std::size_t{most_keys} * most_heads * head_dim / 2}, v{k.count()};
  Buffer weights{std::size_t{most_keys} * most_heads * 2};
  Buffer workspace{std::size_t{most_heads} * 2 * device().multiprocessors * (head_dim + 1)};
  Buffer done{most_heads};
  Buffer flashinfer{flashinfer_bytes / sizeof(float)};

  Cache() {
    check(cudaMemset(done.data(), 0, done.count() * sizeof(float)), "cudaMemset");
    Buffer random(k.count() * 2);
    unsigned seed = 5;
    for (Buffer* to : {&q, &k, &v}) {
      fill_random(random, seed++);
      to_fp16<<<device().multiprocessors * 8, 256>>>(
          random.data(), reinterpret_cast<__half*>(to->data()), to->count() * 2,
          to == &q ? query_limit : 1.0f);
      check(cudaDeviceSynchronize(), "random data");
    }
  }
  DecodeProblem problem(int kv_len, int kv_heads) const {
    return {q.data(), k.data(), v.data(), out.data(), kv_len, most_heads, kv_heads, scale};
  }
  unsigned wrong(const DecodeProblem& p) const {
    unsigned* count;
    unsigned value = 0;
    const auto to = reinterpret_cast<double*>(weights.data());
    check(cudaMalloc(&count, sizeof *count), "cudaMalloc");
    check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
    weigh<<<p.heads, 256>>>(p, to);
    compare<<<p.heads, head_dim>>>(p, to, count);
    check(cudaMemcpy(&value, count, sizeof value, cudaMemcpyDeviceToHost), "comparison");
    check(cudaFree(count), "cudaFree");
    return value;
  }
};
Cache& cache() {
  static Cache made;
  return made;
}

Side side(std::string name, int kv_len, int kv_heads, std::function<void()> launch) {
  return {std::move(name), std::move(launch), [] { cache().out.poison(); },
          [=] { return cache().wrong(cache().problem(kv_len, kv_heads)); }};
}

Side ours(int kv_len, int kv_heads) {
  return side("example 13", kv_len, kv_heads, [=] {
    const auto fp16 = [](const Buffer& b) { return reinterpret_cast<__half*>(b.data()); };
    const Cache& c = cache();
    check(example::decode_attention({fp16(c.q), fp16(c.k), fp16(c.v), fp16(c.out),
                                     c.workspace.data(), reinterpret_cast<unsigned*>(c.done.data()),
                                     kv_len, most_heads, kv_heads, scale, 0}),
          "decode_attention");
  });
}

Row row_of(std::string bench, std::string peer, int kv_len, int kv_heads) {
  const double bytes = 4.0 * kv_len * kv_heads * head_dim;
  Row row{std::move(bench),
          "fp16, " + std::to_string(most_heads) + " heads on " + std::to_string(kv_heads) + ", " +
              std::to_string(kv_len) + " keys",
          "GB/s",
          bytes * 1e-9,
          std::move(peer),
          {ours(kv_len, kv_heads)},
          {}};
  row.flush = true;
  return row;
}

void add_flashinfer_row(Rows& rows, int kv_len, int kv_heads) {
  if (!flashinfer_decode({}, nullptr)) return;  // not built, and no published figure to stand in
  Row row = row_of("decode", "FlashInfer's kernel for a single request", kv_len, kv_heads);
  row.peers.push_back(side("SingleDecodeWithKVCacheKernel", kv_len, kv_heads, [=] {
    flashinfer_decode(cache().problem(kv_len, kv_heads), cache().flashinfer.data())();
  }));
  rows.add(std::move(row));
}

// A copy reads and writes: as many bytes together as there are in K and V. What it leaves in V is
// attended to by later rows as well.
void add_copy_row(Rows& rows, int kv_heads) {
  Row row = row_of("decode_bandwidth", "device copy of as many bytes", most_keys, kv_heads);
  row.peers.push_back({"device copy",
                       [=] {
                         check(cudaMemcpyAsync(cache().v.data(), cache().k.data(),
                                               std::size_t{2} * most_keys * kv_heads * head_dim,
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
  for (const int kv_heads : {8, 32}) {
    for (const int kv_len : {512, 1024, 2048, 4096, 8191, 16384, 32768, 65536, 131072})
      bench::add_flashinfer_row(rows, kv_len, kv_heads);
    bench::add_copy_row(rows, kv_heads);
  }
  return rows.run(argc, argv);
}
