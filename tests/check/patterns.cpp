// SPDX-License-Identifier: Apache-2.0
// Kernels written as others write them are clean and right, and their planted faults are found.
#include <cmath>

#include "ptx_files.hpp"
#include "support/catch.hpp"

using namespace check_test;

namespace {

constexpr std::size_t size = 128;

Kernel kernel_named(const std::string& part) {
  static const Module module = Module::from_file(ptx_file("patterns"));
  for (const std::string& name : module.names())
    if (name.find(part) != std::string::npos) return module.kernel(name);
  throw Unsupported("no kernel " + part);
}
std::string named(const std::string& kernel, bool fault) {
  return kernel + (fault ? "ILb1E" : "ILb0E");
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  std::uint32_t h = 7;
  for (float& x : all) x = static_cast<float>((h = h * 1664525u + 1013904223u) >> 24);
  return all;
}

// Runs a kernel (in, out, tiles) and leaves what it wrote.
template <class T>
Report run_tiles(const std::string& name, std::uint32_t threads, const std::vector<float>& in,
                 std::vector<T>& out, int schedule_seeds) {
  GlobalMemory memory;
  const Address from = memory.add(in), to = memory.add(out);
  const Kernel kernel = kernel_named(name);
  Launch launch(kernel, memory, {threads});
  launch.arguments(from, to, static_cast<int>(in.size() / size));
  const Report report = run(launch, schedules(schedule_seeds));
  out = memory.read<T>(to);
  return report;
}

void check_reversed(const std::string& name, std::uint32_t threads) {
  for (const std::size_t tiles : {0u, 1u, 2u, 3u, 5u, 9u}) {
    const std::vector<float> in = numbers(tiles * size);
    std::vector<float> out(in.size(), -1);
    const Report report = run_tiles(name, threads, in, out, 2);
    INFO(name << ", " << tiles << " tiles\n" << report.text());
    CHECK(report.clean());
    for (std::size_t i = 0; i < in.size(); ++i)
      REQUIRE(out[i] == 2 * in[i / size * size + size - 1 - i % size]);
  }
}
template <class T = float>
Report run_fault(const std::string& kernel, const std::string& arguments = "ILb1E") {
  std::vector<T> out(9 * size, 0);
  return run_tiles(kernel + arguments, size, numbers(9 * size), out, 0);
}

}  // namespace

TEST_CASE("pipelines and barriers of libcu++, primitives and groups are clean and right") {
  for (const char* kernel : {"thread_pipelineILb0E", "block_pipelineILb0E", "barriersILb0ELb0E",
                             "primitivesILb0E", "cooperativeILb0E"})
    check_reversed(kernel, size);
  check_reversed("partitioned_pipeline", size + 32);
}

TEST_CASE("what such kernels do wrong is found") {
  CHECK(run_fault("thread_pipeline").has(Kind::race));
  CHECK(run_fault("block_pipeline").has(Kind::race));
  CHECK(run_fault("barriersILb1ELb0E", "").has(Kind::protocol));
  CHECK(run_fault("barriersILb0ELb1E", "").has(Kind::proxy) == (ptx_arch() >= 90));
  CHECK(run_fault("primitives").has(Kind::race));
  CHECK(run_fault("cooperative").has(Kind::race));
  CHECK(run_fault("softmax").has(Kind::race));
  CHECK(run_fault<int>("histogram").has(Kind::race));
}

TEST_CASE("a softmax by shuffles is clean and right") {
  const std::vector<float> in = numbers(3 * size);
  std::vector<float> out(in.size());
  const Report report = run_tiles(named("softmax", false), size, in, out, 2);
  INFO(report.text());
  CHECK(report.clean());
  for (std::size_t t = 0; t < 3; ++t) {
    double sum = 0, most = 0;
    for (std::size_t i = 0; i < size; ++i) most = std::fmax(most, in[t * size + i]);
    for (std::size_t i = 0; i < size; ++i) sum += std::exp(in[t * size + i] - most);
    for (std::size_t i = 0; i < size; ++i)
      CHECK(std::fabs(out[t * size + i] - std::exp(in[t * size + i] - most) / sum) < 1e-5);
  }
}

TEST_CASE("a histogram by atomics is clean and right") {
  const std::vector<float> in = numbers(5 * size);
  std::vector<int> out(16, 100), expected(16, 300);
  for (const float x : in) expected[static_cast<std::size_t>(x) % 16] += 1;
  for (int& n : expected) n -= 200;
  const Report report = run_tiles(named("histogram", false), size, in, out, 0);
  INFO(report.text());
  CHECK(report.clean());
  CHECK(out == expected);
}

TEST_CASE("a product of f16 by ldmatrix and mma is clean and right") {
  for (const bool fault : {false, true})
    for (const int steps : {1, 2, 5}) {
      const std::size_t k = static_cast<std::size_t>(steps) * 16;
      const auto value = [](std::size_t i) { return static_cast<int>(i * 7 % 5) - 2; };
      const auto half = [](int n) -> std::uint16_t {
        const int a = n < 0 ? -n : n;
        return static_cast<std::uint16_t>((n < 0 ? 0x8000 : 0) | (a == 0   ? 0
                                                                  : a == 1 ? 0x3c00
                                                                           : 0x4000));
      };
      std::vector<std::uint16_t> a(16 * k), b(8 * k);
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = half(value(i));
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = half(value(i + 3));
      GlobalMemory memory;
      const Address at_a = memory.add(a), at_b = memory.add(b),
                    at_c = memory.add_output<float>(128);
      const Kernel kernel = kernel_named(named("half_product", fault));
      Launch launch(kernel, memory, {32});
      launch.arguments(at_a, at_b, at_c, steps);
      const Report report = run(launch, schedules(fault ? 0 : 2));
      INFO(report.text());
      CHECK(report.has(Kind::race) == fault);
      if (fault) continue;
      CHECK(report.clean());
      const std::vector<float> c = memory.read<float>(at_c);
      for (std::size_t i = 0; i < 16; ++i)
        for (std::size_t j = 0; j < 8; ++j) {
          int sum = 0;
          for (std::size_t p = 0; p < k; ++p) sum += value(i * k + p) * value(j * k + p + 3);
          CHECK(c[i * 8 + j] == static_cast<float>(sum));
        }
    }
}
