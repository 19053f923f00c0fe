// SPDX-License-Identifier: Apache-2.0
// Attention of one token against sums in double: numbers of keys around tiles and stages, chunks,
// heads that share keys.
#include "decode.hpp"

#include <cmath>

#include "support/catch.hpp"
#include "support/device_buffer.hpp"
#include "support/pattern.hpp"

using namespace tilepipe_test;

namespace {

// fp16 is written here, so that the oracle does not depend on the toolkit's. Only multiples of
// 1/64 below 16 are stored: exact.
std::uint16_t half_bits(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // 0.5 .. 1
  const int mantissa = static_cast<int>(fraction * 2048) - 1024;
  return static_cast<std::uint16_t>((value < 0 ? 0x8000 : 0) | (exponent + 14) << 10 | mantissa);
}
double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double size =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  return exponent == 31 ? NAN : bits & 0x8000 ? -size : size;
}

// Position-coded, of the size `limit`.
std::vector<double> values(std::size_t count, double limit, unsigned seed) {
  std::vector<double> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned h = (static_cast<unsigned>(i) + 1) * 2654435761u ^ seed * 2246822519u;
    all[i] = (static_cast<int>((h ^ h >> 13) % 129) - 64) * limit / 64;
  }
  return all;
}
// A cache ends in rows that no kernel may read: NaN, were one read and used.
Bytes bytes_of(const std::vector<double>& all, std::size_t behind = 0) {
  Bytes bytes;
  for (const double v : all) {
    const std::uint16_t bits = half_bits(v);
    bytes.push_back(static_cast<unsigned char>(bits & 255));
    bytes.push_back(static_cast<unsigned char>(bits >> 8));
  }
  for (std::size_t i = 0; i < behind * 2; ++i) bytes.push_back(0x7f);
  return bytes;
}

// How many outputs are off by more than the rounding of weights and outputs to fp16, and of scores
// in fp32, explains.
int count_wrong(const DecodeSizes& s, double scale, const std::vector<double>& q,
                const std::vector<double>& k, const std::vector<double>& v, const Bytes& out) {
  int wrong = 0;
  for (int head = 0; head < s.heads; ++head) {
    const int group = head / (s.heads / s.kv_heads);
    std::vector<double> weight(s.kv_len), sum(decode_dim), size(decode_dim), all(decode_dim);
    double high = -1e300, products = 0, total = 0;
    const auto row = [&](int key) {
      return (static_cast<std::size_t>(key) * s.kv_heads + group) * decode_dim;
    };
    for (int key = 0; key < s.kv_len; ++key) {
      double absolute = 0;
      for (int i = 0; i < decode_dim; ++i) {
        const double product = scale * q[head * decode_dim + i] * k[row(key) + i];
        weight[key] += product;
        absolute += std::fabs(product);
      }
      high = std::fmax(high, weight[key]);
      products = std::fmax(products, absolute);
    }
    for (int key = 0; key < s.kv_len; ++key) {
      weight[key] = std::exp(weight[key] - high);
      total += weight[key];
      for (int i = 0; i < decode_dim; ++i) {
        sum[i] += weight[key] * v[row(key) + i];
        size[i] += weight[key] * std::fabs(v[row(key) + i]);
        all[i] += std::fabs(v[row(key) + i]);
      }
    }
    for (int i = 0; i < decode_dim; ++i) {
      const std::size_t at = (static_cast<std::size_t>(head) * decode_dim + i) * 2;
      const double got = half_value(static_cast<std::uint16_t>(out[at] | out[at + 1] << 8));
      const double expected = s.kv_len > 0 ? sum[i] / total : 0;
      const double weights =
          std::ldexp(1, -11) + decode_dim * std::ldexp(products, -22) + std::ldexp(1, -20);
      const double bound = s.kv_len > 0
                               ? (size[i] * weights + std::ldexp(all[i], -25)) / total +
                                     std::ldexp(std::fabs(expected), -11) + std::ldexp(1, -25)
                               : 0;
      if (!(std::fabs(got - expected) <= bound)) ++wrong;
    }
  }
  return wrong;
}

void attend(const DecodeKernel& kernel, DecodeSizes s, double query_limit) {
  const double scale = 0.08837890625;
  const std::size_t cached = static_cast<std::size_t>(s.kv_len) * s.kv_heads * decode_dim;
  const std::size_t outputs = static_cast<std::size_t>(s.heads) * decode_dim;
  const int chunks = s.kv_len > s.chunk ? (s.kv_len + s.chunk - 1) / s.chunk : 1;
  const auto q = values(outputs, query_limit, 1), k = values(cached, 1, 2),
             v = values(cached, 1, 3);
  const std::size_t behind = static_cast<std::size_t>(decode_tile) * s.kv_heads * decode_dim;
  const DeviceBuffer to_q(bytes_of(q)), to_k(bytes_of(k, behind)), to_v(bytes_of(v, behind)),
      workspace(static_cast<std::size_t>(chunks) * s.heads * (decode_dim + 1) * 4);
  DeviceBuffer out(outputs * 2);
  const Bytes zeros(static_cast<std::size_t>(s.kv_heads) * 4);
  const DeviceBuffer done(zeros);
  const Argument sizes =
      decode_argument(to_q.address(), to_k.address(), to_v.address(), out.address(),
                      workspace.address(), done.address(), s, static_cast<float>(scale));
  Bytes first;
  for (int run = 0; run < 2; ++run) {
    out.fill(0xff);
    Launch record =
        make_launch("decode", kernel.kernel,
                    {static_cast<unsigned>(chunks), static_cast<unsigned>(s.kv_heads), 1},
                    {128, 1, 1}, kernel.shared_bytes);
    record.arguments = {sizes};
    launch(record);
    INFO(kernel.stages << " stages, " << s.kv_len << " keys, " << s.heads << " heads on "
                       << s.kv_heads << ", chunks of " << s.chunk << ", queries up to "
                       << query_limit);
    const Bytes got = out.read();
    CHECK(count_wrong(s, scale, q, k, v, got) == 0);
    CHECK((run == 0 || got == first));
    CHECK((done.read() == zeros));
    CHECK(out.broken_guard() == std::string());
    CHECK(workspace.broken_guard() == std::string());
    first = got;
  }
}

}  // namespace

TEST_CASE("attention of one token is right for keys around each tile and stage", "[sanitize]") {
  for (const DecodeKernel& kernel : decode_kernels())
    for (const int keys : {0, 1, 15, 16, 17, 63, 64, 65, 128, 129, 192, 193, 256, 449})
      attend(kernel, {keys, 4, 1, 1 << 20}, 8);
}

TEST_CASE("attention of one token is right for heads that share keys, and chunks that are merged") {
  for (const DecodeKernel& kernel : decode_kernels()) {
    for (const int chunk : {decode_tile, 3 * decode_tile})
      for (const int keys : {64, 65, 192, 193, 449}) attend(kernel, {keys, 6, 2, chunk}, 8);
    attend(kernel, {200, 8, 1, 128}, 4);
    attend(kernel, {200, 3, 3, 128}, 0);  // all weights alike
  }
}

TEST_CASE("attention of one token is right for 8191 keys") {
  for (const DecodeKernel& kernel : decode_kernels()) {
    attend(kernel, {8191, 32, 8, 512}, 4);
    attend(kernel, {8191, 8, 8, 1 << 20}, 8);
  }
}
