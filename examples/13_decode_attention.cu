// SPDX-License-Identifier: Apache-2.0
// Attention of one new token: fp16, a head_dim of 128, any number of keys, queries that share them.
#include "13_decode_attention.cuh"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "support/references.hpp"
#include "support/report.cuh"
#include "support/timing.cuh"

namespace {

using example::head_dim;

std::vector<__half> halves(std::size_t n, float limit, int seed) {
  std::vector<__half> values;
  values.reserve(n);
  for (const float v : support::random_floats(n, seed)) values.push_back(__float2half(limit * v));
  return values;
}

struct Sizes {
  int kv_len, heads, kv_heads;
};

// The output of one head in fp64, and how far off a kernel may be that rounds the weights of the
// softmax and the output to fp16, and sums 128 products in fp32 for a score.
struct Expected {
  std::vector<double> value, bound;
};
Expected expected_of(const Sizes& size, int head, float scale, const std::vector<__half>& q,
                     const std::vector<__half>& k, const std::vector<__half>& v) {
  const int kv_head = head / (size.heads / size.kv_heads);
  const auto row = [&](int key) {
    return (static_cast<std::size_t>(key) * size.kv_heads + kv_head) * head_dim;
  };
  std::vector<double> score(size.kv_len), sum(head_dim), absolute(head_dim), plain(head_dim);
  double high = -1e300, products = 0, total = 0;
  for (int key = 0; key < size.kv_len; ++key) {
    double all = 0;
    for (int i = 0; i < head_dim; ++i) {
      const double product =
          static_cast<double>(__half2float(q[head * head_dim + i])) * __half2float(k[row(key) + i]);
      score[key] += product * scale;
      all += std::fabs(product * scale);
    }
    high = std::fmax(high, score[key]);
    products = std::fmax(products, all);
  }
  for (int key = 0; key < size.kv_len; ++key) {
    const double weight = std::exp(score[key] - high);
    total += weight;
    for (int i = 0; i < head_dim; ++i) {
      const double value = __half2float(v[row(key) + i]);
      sum[i] += weight * value;
      absolute[i] += weight * std::fabs(value);
      plain[i] += std::fabs(value);
    }
  }
  Expected e{std::vector<double>(head_dim), std::vector<double>(head_dim)};
  for (int i = 0; i < head_dim && size.kv_len > 0; ++i) {
    e.value[i] = sum[i] / total;
    // A weight is off by 2^-11 of itself or, where it is tiny, by 2^-25 of the largest.
    e.bound[i] = (absolute[i] * (0x1p-11 + 2 * head_dim * 0x1p-23 * products + 0x1p-20) +
                  plain[i] * 0x1p-25) /
                     total +
                 std::fabs(e.value[i]) * 0x1p-11 + 0x1p-25;
  }
  return e;
}

bool right(const Sizes& size, float query_limit) {
  const std::size_t cached = static_cast<std::size_t>(size.kv_len) * size.kv_heads * head_dim;
  const std::size_t outputs = static_cast<std::size_t>(size.heads) * head_dim;
  const float scale = 1 / std::sqrt(static_cast<float>(head_dim));
  const auto q = halves(outputs, query_limit, 1), k = halves(cached, 1, 2),
             v = halves(cached, 1, 3);
  const support::Buffer<__half> device_q(q), device_k(k), device_v(v);
  support::Buffer<__half> out(outputs);
  support::Buffer<float> workspace(example::decode_workspace(size.heads, size.kv_heads));
  out.fill_bytes(0xff);
  support::Buffer<unsigned> done(size.kv_heads);
  workspace.fill_bytes(0xff);
  done.fill_bytes(0);
  support::check(example::decode_attention({device_q.data(), device_k.data(), device_v.data(),
                                            out.data(), workspace.data(), done.data(), size.kv_len,
                                            size.heads, size.kv_heads, scale, 0}),
                 "decode_attention");
  support::check_kernel("decode_attention");
  const std::vector<__half> got = out.to_host();
  bool good = done.to_host() == std::vector<unsigned>(size.kv_heads);
  double worst = 0;  // of error / bound
  for (int head = 0; head < size.heads; ++head) {
    const Expected e = expected_of(size, head, scale, q, k, v);
    for (int i = 0; i < head_dim; ++i) {
      const double error = std::fabs(__half2float(got[head * head_dim + i]) - e.value[i]);
      const double share = size.kv_len == 0 ? (error == 0 ? 0 : 2) : error / e.bound[i];
      good = good && share <= 1;  // false for a NaN
      worst = std::fmax(worst, share);
    }
  }
  std::printf(
      "%d keys, %d heads on %d, queries up to %g: %s, the largest error is %.2f of its bound\n",
      size.kv_len, size.heads, size.kv_heads, query_limit, good ? "right" : "WRONG", worst);
  return good;
}

void time(const Sizes& size) {
  const std::size_t cached = static_cast<std::size_t>(size.kv_len) * size.kv_heads * head_dim;
  const std::size_t outputs = static_cast<std::size_t>(size.heads) * head_dim;
  support::Buffer<__half> q(outputs), k(cached), v(cached), out(outputs);
  for (auto* buffer : {&q, &k, &v}) buffer->fill_bytes(0x2e);  // 0.1
  support::Buffer<float> workspace(example::decode_workspace(size.heads, size.kv_heads));
  support::Buffer<unsigned> done(size.kv_heads);
  done.fill_bytes(0);
  const float ms = support::median_milliseconds([&] {
    support::check(
        example::decode_attention({q.data(), k.data(), v.data(), out.data(), workspace.data(),
                                   done.data(), size.kv_len, size.heads, size.kv_heads, 0.088f, 0}),
        "decode_attention");
  });
  std::printf("%d keys, %d heads on %d: %.1f us, %.0f GB/s\n", size.kv_len, size.heads,
              size.kv_heads, ms * 1000, 4e-6 * cached / ms);
}

}  // namespace

// 13_decode_attention [keys]: the check, and the speed for that many keys, 131072 unless given.
int main(int argc, char** argv) {
  if (!support::find_device()) return support::skipped;
  const int arch = support::running_arch(example::decode_kernel<3>);
  support::print_path<example::KeyLoader>("K", arch);
  support::print_path<example::ValueLoader>("V", arch);

  bool all = true;
  for (const int keys : {0, 1, 15, 16, 63, 64, 65, 127, 128, 129, 192, 193, 512})
    all = right({keys, 8, 2}, 4) && all;
  all = right({8191, 32, 8}, 4) && all;
  all = right({8191, 32, 32}, 16) && all;
  all = right({8193, 8, 8}, 0) && all;
  all = right({4097, 8, 1}, 8) && all;
  all = right({33001, 6, 2}, 16) && all;
  const int keys = argc > 1 ? std::atoi(argv[1]) : 131072;
  time({keys, 32, 8});
  time({keys, 32, 32});
  return all ? support::passed : support::failed;
}
