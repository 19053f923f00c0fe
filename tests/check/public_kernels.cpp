// SPDX-License-Identifier: Apache-2.0
// Runs a kernel of tests/check/public in the checker and compares what it wrote with sums on the
// CPU.
//
//   check_public_kernels FILE.ptx CASE
// Prints the findings, and "right" or what is wrong. Exit status: 0, or 2 if the kernel is refused.
#include <tilepipe/check/launch.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>

namespace {

using namespace tilepipe::check;
using Halves = std::vector<std::uint16_t>;

// The nearest half; no infinities and no denormal numbers.
std::uint16_t half_of(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
  const auto rounded = static_cast<int>(std::nearbyint(fraction * 2048));
  const int magnitude = ((exponent + 13) << 10) + rounded;
  return static_cast<std::uint16_t>(value < 0 ? 0x8000 + magnitude : magnitude);
}
double value_of(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const double magnitude = exponent == 0 ? std::ldexp(half & 1023, -24)
                                         : std::ldexp(1024 + (half & 1023), exponent - 25);
  return half >> 15 != 0 ? -magnitude : magnitude;
}

// Small numbers, of which each place has its own.
int small(std::size_t i, int salt, int range) {
  const auto h = static_cast<std::uint32_t>(i) * 0x9e3779b1u + static_cast<std::uint32_t>(salt);
  return static_cast<int>((h ^ h >> 15) * 0x85ebca77u >> 20) % (2 * range + 1) - range;
}
Halves halves(std::size_t count, int salt, int range, double unit = 1) {
  Halves all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = half_of(unit * small(i, salt, range));
  return all;
}

struct Run {
  const Kernel& kernel;
  GlobalMemory memory;
  Report report;

  template <class... Arguments>
  void launch(Dim3 block, std::uint32_t shared, const Arguments&... arguments) {
    Launch launch(kernel, memory, block);
    launch.dynamic_shared = shared;
    start(launch, arguments...);
  }
  template <class... Arguments>
  void start(Launch& launch, const Arguments&... arguments) {
    launch.arguments(arguments...);
    report.add(run(launch, schedules(3)));
  }
  // The first element that is not near what it should be; empty if none.
  std::string compare(const std::vector<double>& is, const std::function<double(std::size_t)>& want,
                      double relative) const {
    for (std::size_t i = 0; i < is.size(); ++i)
      if (!(std::fabs(is[i] - want(i)) <= relative * (1 + std::fabs(want(i)))))
        return "element " + std::to_string(i) + " is " + std::to_string(is[i]) + ", not " +
               std::to_string(want(i));
    return "";
  }
  std::vector<double> halves_at(Address at) const {
    std::vector<double> values;
    for (const std::uint16_t half : memory.read<std::uint16_t>(at))
      values.push_back(value_of(half));
    return values;
  }
};

// C = A B with A of m rows, B of n columns stored one after the other, and C row by row, or
// column by column.
std::string product_of_halves(Run& run, std::size_t m, std::size_t n, std::size_t k,
                              std::uint32_t shared, bool by_column) {
  const Halves a = halves(m * k, 1, 1), b = halves(n * k, 2, 2);
  const Address from_a = run.memory.add(a), from_b = run.memory.add(b),
                to = run.memory.add_output<std::uint16_t>(m * n);
  run.launch({128}, shared, from_a, from_b, to, static_cast<int>(m), static_cast<int>(n),
             static_cast<int>(k));
  const auto want = [&](std::size_t i) {
    const std::size_t row = by_column ? i % m : i / n, column = by_column ? i / m : i % n;
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j)
      sum += value_of(a[row * k + j]) * value_of(b[column * k + j]);
    return sum;
  };
  return run.compare(run.halves_at(to), want, 0);
}

std::string product_of_floats(Run& run) {
  const std::size_t m = 64, n = 64, k = 104;
  std::vector<float> a(m * k), b(n * k);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(small(i, 1, 9));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(small(i, 2, 9));
  const Address from_a = run.memory.add(a), from_b = run.memory.add(b),
                to = run.memory.add_output<float>(m * n);
  run.launch({128}, 65536, from_a, from_b, to, 64, 64, 104);
  const auto out = run.memory.read<float>(to);
  const auto want = [&](std::size_t i) {
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j) sum += double{a[i / n * k + j]} * double{b[i % n * k + j]};
    return sum;
  };
  return run.compare({out.begin(), out.end()}, want, 0);
}

// What both products with weights of four bits compute: a group of 128 rows of B has a scale and a
// zero of its own for each column, and a weight is its four bits times the one plus the other.
struct FourBits {
  static constexpr std::size_t n = 128, k = 1024, group = 128;
  Halves a, scales, zeros;
  std::function<int(std::size_t, std::size_t)> bits;  // of row and column

  explicit FourBits(std::size_t rows) : a(halves(rows * k, 3, 1)) {}
  double want(std::size_t i) const {
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t at = j / group * n + i % n;
      sum += value_of(a[i / n * k + j]) *
             (bits(j, i % n) * value_of(scales[at]) + value_of(zeros[at]));
    }
    return sum;
  }
};

// AWQ's order of weights: 16 bits hold four of one column; blocks of 64 rows of four columns.
std::string awq(Run& run, std::size_t m, Dim3 block, bool semaphores) {
  FourBits p(m);
  p.bits = [](std::size_t row, std::size_t column) {
    return static_cast<int>((7 * (row / 64) + 5 * column) % 16);
  };
  p.scales = halves(p.k / p.group * p.n, 4, 2, 0.25);
  p.zeros = halves(p.k / p.group * p.n, 5, 3, 0.5);
  Halves b(p.n * p.k / 4);
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] =
        static_cast<std::uint16_t>(0x1111 * p.bits(i % p.k / 64 * 64, i / p.k * 4 + i % 64 / 16));
  const Address a = run.memory.add(p.a), weights = run.memory.add(b),
                scales = run.memory.add(p.scales), zeros = run.memory.add(p.zeros),
                to = run.memory.add_output<std::uint16_t>(p.a.size() / p.k * p.n);
  const int rows = static_cast<int>(m);
  if (semaphores)
    run.launch(block, 98304, a, weights, scales, zeros, to, run.memory.add(std::vector<int>(1)),
               rows, 128, 1024);
  else
    run.launch(block, 98304, a, weights, scales, zeros, to, rows, 128, 1024);
  return run.compare(
      run.halves_at(to), [&](std::size_t i) { return p.want(i); }, 0.002);
}

// Marlin's order of weights: 16 rows of 64 columns lie together, in an order of their own, and so
// do the scales of 64 columns.
std::string marlin(Run& run) {
  FourBits p(16);
  p.bits = [](std::size_t row, std::size_t column) {
    return static_cast<int>((3 * (row / 16) + 5 * (column / 64)) % 16);
  };
  p.scales.resize(p.k / p.group * p.n);
  p.zeros.resize(p.scales.size());
  for (std::size_t i = 0; i < p.scales.size(); ++i) {
    p.scales[i] = half_of(0.25 * small(i / 64, 4, 2));
    p.zeros[i] = half_of(0.5 * small(i / 64, 5, 3));
  }
  std::vector<std::uint32_t> b(p.n * p.k / 8);
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = 0x11111111u *
           static_cast<std::uint32_t>(p.bits(i / (2 * p.n) * 16, i % (2 * p.n) / 128 * 64));
  const Address a = run.memory.add(p.a), weights = run.memory.add(b),
                to = run.memory.add_output<std::uint16_t>(p.a.size() / p.k * p.n),
                scales = run.memory.add(p.scales), zeros = run.memory.add(p.zeros),
                locks = run.memory.add(std::vector<int>(16));
  run.launch({256}, 98304, a, weights, to, scales, zeros, 16, 128, 1024, locks);
  return run.compare(
      run.halves_at(to), [&](std::size_t i) { return p.want(i); }, 0.002);
}

// Query `row` sees the keys up to its own place, counted from the end.
std::string attention(Run& run, Dim3 block, std::uint32_t shared, std::size_t queries,
                      std::size_t length) {
  constexpr std::size_t dim = 64;
  const Halves q = halves(queries * dim, 6, 8, 0.125), k = halves(length * dim, 7, 8, 0.125),
               v = halves(length * dim, 8, 16, 0.25);
  const Address from_q = run.memory.add(q), from_k = run.memory.add(k), from_v = run.memory.add(v),
                to = run.memory.add_output<std::uint16_t>(queries * dim);
  if (queries == 1)
    run.launch(block, shared, from_q, from_k, from_v, to, static_cast<int>(length));
  else
    run.launch(block, shared, from_q, from_k, from_v, to, static_cast<int>(queries),
               static_cast<int>(length));
  const auto want = [&](std::size_t i) {
    const std::size_t row = i / dim, seen = length - queries + row + 1;
    double weights = 0, sum = 0;
    for (std::size_t key = 0; key < seen; ++key) {
      double score = 0;
      for (std::size_t d = 0; d < dim; ++d)
        score += value_of(q[row * dim + d]) * value_of(k[key * dim + d]);
      const double weight = std::exp(score / 8);
      weights += weight;
      sum += weight * value_of(v[key * dim + i % dim]);
    }
    return sum / weights;
  };
  return run.compare(run.halves_at(to), want, 0.005);
}

std::string merge(Run& run) {
  const std::size_t dim = 64, sets = 70;
  const Halves v = halves(sets * dim, 9, 16, 0.25);
  std::vector<float> s(sets);
  for (std::size_t i = 0; i < sets; ++i) s[i] = 0.25f * static_cast<float>(small(i, 10, 12));
  const Address from_v = run.memory.add(v), from_s = run.memory.add(s),
                to = run.memory.add_output<std::uint16_t>(dim),
                to_s = run.memory.add_output<float>(1);
  run.launch({8, 16}, 4 * 16 * 64 * 2 + 128 * 4, from_v, from_s, to, to_s, 70u, 1u);
  double weights = 0;
  for (const float x : s) weights += std::exp2(double{x});
  const auto want = [&](std::size_t i) {
    double sum = 0;
    for (std::size_t set = 0; set < sets; ++set)
      sum += std::exp2(double{s[set]}) * value_of(v[set * dim + i]);
    return sum / weights;
  };
  const std::string wrong = run.compare(run.halves_at(to), want, 0.005);
  if (!wrong.empty()) return wrong;
  return run.compare(
      {double{run.memory.read<float>(to_s)[0]}}, [&](std::size_t) { return std::log2(weights); },
      1e-5);
}

// Block 1 of 4 takes its tile by bulk copies, block 0 by copies of threads; the sources begin four
// bytes past a multiple of 16.
std::string transform(Run& run, std::uint32_t block) {
  const std::size_t each = 8, tile = 128 * each, items = 4 * tile;
  std::vector<float> a(items + 8), b(items + 8);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(small(i, 11, 900));
  const Address from_a = run.memory.add(a), from_b = run.memory.add(b),
                to = run.memory.add_output<float>(items);
  Launch launch(run.kernel, run.memory, {128});
  launch.grid = {4};
  launch.index = {block, 0, 0};
  launch.dynamic_shared = 2 * (tile * 4 + 16 + 128);
  run.start(launch, from_a + 4, from_b + 4, to, static_cast<int>(items), static_cast<int>(each));
  const auto out = run.memory.read<float>(to);
  const std::vector<double> mine(out.begin() + block * tile, out.begin() + (block + 1) * tile);
  return run.compare(
      mine,
      [&](std::size_t i) {
        return double{a[block * tile + i + 1]} + 2 * double{b[block * tile + i + 1]};
      },
      0);
}

struct Case {
  const char* kernel;  // a part of its name
  std::function<std::string(Run&)> run;
};
const std::map<std::string, Case> cases = {
    {"gemm_tensor_cores",
     {"gemm_tensor_cores", [](Run& r) { return product_of_halves(r, 64, 64, 256, 65536, false); }}},
    {"gemm_simt", {"gemm_simt", product_of_floats}},
    {"cute_gemm",
     {"cute_gemm", [](Run& r) { return product_of_halves(r, 128, 128, 320, 98304, true); }}},
    {"awq_16_rows",
     {"gemm_w4a16_T1",
      [](Run& r) {
        return awq(r, 16, {32, 8}, true);
      }}},
    {"awq_64_rows",
     {"gemm_w4a16_T2",
      [](Run& r) {
        return awq(r, 64, {32, 4}, false);
      }}},
    {"marlin", {"Marlin", marlin}},
    {"decode_whole_tiles",
     {"decode",
      [](Run& r) {
        return attention(r, {8, 1, 16}, 66048, 1, 384);
      }}},
    {"decode",
     {"decode",
      [](Run& r) {
        return attention(r, {8, 1, 16}, 66048, 1, 200);
      }}},
    {"prefill",
     {"prefill",
      [](Run& r) {
        return attention(r, {32, 4}, 24576, 64, 200);
      }}},
    {"merge", {"MergeStates", merge}},
    {"transform_bulk", {"cub_transform", [](Run& r) { return transform(r, 1); }}},
    {"transform_ends", {"cub_transform", [](Run& r) { return transform(r, 0); }}},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || cases.count(argv[2]) == 0) return 2;
  const Case& chosen = cases.at(argv[2]);
  try {
    const Module module = Module::from_file(argv[1]);
    for (const std::string& name : module.names()) {
      if (name.find(chosen.kernel) == std::string::npos) continue;
      const Kernel kernel = module.kernel(name);
      Run run{kernel, {}, {}};
      const std::string wrong = chosen.run(run);
      std::printf("%s%s\n", run.report.text().c_str(), wrong.empty() ? "right" : wrong.c_str());
      return 0;
    }
    std::printf("no kernel is called %s\n", chosen.kernel);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  return 2;
}
