// SPDX-License-Identifier: Apache-2.0
// LoRA's first products for batches of 1 to 64 requests: one adapter for all, one for each, and few
// that are popular.
#include "12_bgmv.cuh"

#include <string>
#include <vector>

#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"

using namespace example;

// Integers from -limit to limit: all sums are exact, and so is all but the last rounding.
static std::vector<__half> integers(std::size_t n, int limit, unsigned seed) {
  support::Random random(seed);
  std::vector<__half> values(n);
  for (__half& v : values)
    v = __float2half(static_cast<float>(random.below(2 * limit + 1) - limit));
  return values;
}

static bool check_bgmv(int in, int out, int batch, int adapters) {
  constexpr int layers = 3, layer = 1;
  constexpr float scale = 0.125f;
  const auto size = [](int a, int b) { return static_cast<std::size_t>(a) * b; };
  const auto x = integers(size(batch, in), 4, 120), y = integers(size(batch, out), 100, 121);
  const auto w = integers(size(adapters * layers * out, in), 4, 122);
  std::vector<long long> adapter(batch);
  support::Random random(123);
  for (int b = 0; b < batch; ++b)  // the first one is popular
    adapter[b] = adapters > 1 && random.below(3) > 0 ? random.below(adapters) : 0;

  std::vector<__half> expected(y);
  for (int b = 0; b < batch; ++b)
    for (int j = 0; j < out; ++j) {
      const __half* row = &w[((adapter[b] * layers + layer) * out + j) * in];
      float sum = 0;
      for (int k = 0; k < in; ++k) sum += __half2float(row[k]) * __half2float(x[size(b, in) + k]);
      __half& to = expected[size(b, out) + j];
      to = __float2half(__half2float(to) + scale * sum);
    }

  const support::Buffer<__half> from_x(x), from_w(w);
  const support::Buffer<__half> to(y);
  const support::Buffer<long long> index(adapter);
  const Bgmv problem{to.data(), from_x.data(), from_w.data(), index.data(), batch, in,
                     out,       adapters,      layers,        layer,        scale};
  tilepipe::host::check_source<FewOutputs::WeightLoader>(
      tilepipe::Source<__half, 2>::pitched(from_w.data(), adapters * layers * out, in, in));
  support::check(bgmv(problem), "bgmv");
  support::check_kernel("bgmv");
  const std::string name = std::to_string(in) + " -> " + std::to_string(out) + ", " +
                           std::to_string(batch) + " requests, " + std::to_string(adapters) +
                           " adapters";
  const std::vector<__half> got = to.to_host();
  std::vector<float> got_floats, expected_floats;
  for (const __half v : got) got_floats.push_back(__half2float(v));
  for (const __half v : expected) expected_floats.push_back(__half2float(v));
  return support::same(name.c_str(), got_floats, expected_floats);
}

// What the host says of vectors that 16-byte copies cannot read.
static bool check_refusal() {
  try {
    tilepipe::host::check_source<FewOutputs::WeightLoader>(tilepipe::Source<__half, 2>::pitched(
        reinterpret_cast<const __half*>(4096), 16, 4100, 4100));
  } catch (const tilepipe::host::Error& error) {
    std::printf("refused: %s\n", error.what());
    return true;
  }
  std::printf("WRONG: 4100 inputs were not refused\n");
  return false;
}

int main() {
  bool right = check_refusal();
  support::print_path<FewOutputs::WeightLoader>("weights", 80);
  if (!support::find_device()) return right ? support::skipped : support::failed;
  for (const int in : {8, 1000, 4096, 11008})
    for (const int out : {1, 16, 64, 70})
      for (const int batch : {1, 5}) right = check_bgmv(in, out, batch, 4) && right;
  right = check_bgmv(4096, 16, 64, 1) && right;
  right = check_bgmv(4096, 64, 64, 20) && right;
  right = check_bgmv(0, 16, 2, 2) && right;
  right = check_bgmv(4096, 16, 0, 2) && right;
  return right ? support::passed : support::failed;
}
