// SPDX-License-Identifier: Apache-2.0
// The examples' kernels are clean and right, one block of each.
#include "ptx_files.hpp"
#include "support/catch.hpp"

using namespace check_test;

namespace {

Kernel kernel_named(const std::string& part) {
  const Module module = Module::from_file(ptx_file("examples"));
  for (const std::string& name : module.names())
    if (name.find(part) != std::string::npos) return module.kernel(name);
  throw Unsupported("no kernel " + part);
}

template <class... Arguments>
void check_clean(const Kernel& kernel, GlobalMemory& memory, Dim3 block,
                 const Arguments&... arguments) {
  Launch launch(kernel, memory, block);
  launch.arguments(arguments...);
  const Report report = run(launch, schedules(2));
  INFO(kernel.name << "\n" << report.text());
  CHECK(report.clean());
}

std::uint32_t noise(std::size_t i) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 0x9e3779b1u + 1;
  h ^= h >> 15;
  return h * 0x85ebca77u;
}
template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<T>(noise(i) % 251);
  return all;
}

}  // namespace

TEST_CASE("01 doubles its elements for 0 to 4S+1 tiles, in blocks of 32 to 256 threads") {
  for (const int stages : {1, 2})
    for (const std::uint32_t threads : {32u, 96u, 256u})
      for (int tiles = 0; tiles <= 4 * stages + 1; tiles += threads == 96 ? 1 : 5) {
        const auto in = numbers<float>(4096 * static_cast<std::size_t>(tiles));
        GlobalMemory memory;
        const Address from = memory.add(in), to = memory.add_output<float>(in.size());
        check_clean(kernel_named("5scaleILi" + std::to_string(stages) + "E"), memory, {threads},
                    from, to, tiles);
        const auto out = memory.read<float>(to);
        for (std::size_t i = 0; i < in.size(); ++i) REQUIRE(out[i] == 2 * in[i]);
      }
}

TEST_CASE("02 reverses and weighs") {
  const std::vector<float> in(256, 1.0f);
  GlobalMemory memory;
  const Address from = memory.add(in), to = memory.add_output<float>(256);
  check_clean(kernel_named("reverse_and_weigh"), memory, {256}, from, to);
  const auto out = memory.read<float>(to);
  for (int i = 0; i < 256; ++i) {
    float weight = 1;
    for (int k = 0; k < 16; ++k) weight = 0.5f * weight + static_cast<float>(i % (k + 2));
    CHECK(out[static_cast<std::size_t>(i)] == weight);
  }
}

TEST_CASE("06 sums rows by warps and hashes sequences by threads") {
  constexpr int rows = 6, pieces = 5, columns = pieces * 256;
  const auto in = numbers<int>(static_cast<std::size_t>(rows) * columns);
  GlobalMemory memory;
  const Address from = memory.add(in), sums = memory.add_output<long long>(rows);
  check_clean(kernel_named("row_sums"), memory, {128}, from, rows, pieces, sums);
  const auto got = memory.read<long long>(sums);
  for (std::size_t r = 0; r < rows; ++r) {
    long long sum = 0;
    for (std::size_t c = 0; c < columns; ++c) sum += in[r * columns + c];
    CHECK(got[r] == sum);
  }

  constexpr std::size_t sequences = 50;
  std::vector<long long> first(sequences);
  std::vector<int> length(sequences);
  for (std::size_t i = 0; i < sequences; ++i) {
    length[i] = static_cast<int>(noise(i) % 40);
    if (i != 0) first[i] = first[i - 1] + (length[i - 1] + 3) / 4 * 4;
  }
  const Address firsts = memory.add(first), lengths = memory.add(length);
  const Address hashes = memory.add_output<std::uint32_t>(sequences);
  check_clean(kernel_named("sequence_hashes"), memory, {64}, from, firsts, lengths,
              static_cast<int>(sequences), hashes);
  const auto hashed = memory.read<std::uint32_t>(hashes);
  for (std::size_t i = 0; i < sequences; ++i) {
    std::uint32_t hash = 2166136261u;
    for (int j = 0; j < length[i]; ++j)
      hash =
          hash * 16777619u ^ static_cast<std::uint32_t>(in[static_cast<std::size_t>(first[i] + j)]);
    CHECK(hashed[i] == hash);
  }
}

TEST_CASE("07 adds four unlike tiles, with edges and absent rows") {
  constexpr int rows = 80, cols = 64, table_rows = 9, pitch = 67, width = 21, bias_pitch = 24;
  const auto dense = numbers<float>(rows * cols);
  const auto table = numbers<short>(table_rows * pitch);
  const auto flags = numbers<unsigned char>(rows + 3);
  const auto bias = numbers<float>(rows * bias_pitch);
  std::vector<int> index(rows);
  for (std::size_t r = 0; r < rows; ++r) index[r] = static_cast<int>(noise(r) % 10) - 1;
  GlobalMemory memory;
  struct {
    Address dense, table, index, flag, bias;
    int rows, table_rows, table_pitch, bias_width;
  } const sources{memory.add(dense),
                  memory.add(table),
                  memory.add(index),
                  memory.add(flags) + 3,
                  memory.add(bias),
                  rows,
                  table_rows,
                  pitch,
                  width};
  const Address to = memory.add_output<float>(rows * cols);
  check_clean(kernel_named("mixed_stage"), memory, {128}, sources, to);
  const auto out = memory.read<float>(to);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; ++c) {
      float sum = dense[r * cols + c];
      if (index[r] >= 0) sum += table[static_cast<std::size_t>(index[r]) * pitch + c];
      if (flags[r + 3] % 2 != 0 && c < width) sum += bias[r * bias_pitch + c];
      CHECK(out[r * cols + c] == sum);
    }
}
