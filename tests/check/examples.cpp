// SPDX-License-Identifier: Apache-2.0
// The examples' kernels are clean and right, one block of each, or all.
#include <array>
#include <cstdlib>

#include "example_kernels.hpp"
#include "support/catch.hpp"

using namespace check_test;

namespace {

template <class... Arguments>
void check_clean(const Kernel& kernel, GlobalMemory& memory, Dim3 block,
                 const Arguments&... arguments) {
  Launch launch(kernel, memory, block);
  launch.arguments(arguments...);
  const Report report = run(launch, schedules(2));
  INFO(kernel.name << "\n" << report.text());
  CHECK(report.clean());
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

namespace {

// Bags of 0 to 40 rows of a table, in two blocks of four warps.
template <class Index>
void check_bags(const std::string& kernel, std::size_t cols) {
  constexpr std::size_t rows = 21, bags = 11;
  const auto table = numbers<float>(rows * cols);
  std::vector<long long> first(bags + 1);
  for (std::size_t b = 0; b < bags; ++b)
    first[b + 1] = first[b] + (b % 3 == 1 ? 0 : static_cast<long long>(noise(b) % 41));
  const auto count = static_cast<std::size_t>(first[bags]);
  std::vector<Index> index(count);
  for (std::size_t i = 0; i < count; ++i)
    index[i] = static_cast<Index>(noise(i + 99) % (rows + 3)) - 3 < 0
                   ? Index{-1}
                   : static_cast<Index>(noise(i + 99) % (rows + 3)) - 3;
  const auto weight = numbers<float>(count);
  for (const bool mean : {false, true})
    for (const bool weighted : {false, true}) {
      GlobalMemory memory;
      const Address to = memory.add_output<float>(bags * cols);
      const struct {
        Address table;
        long long rows;
        Address index, weight, first;
        long long bags, indices;
        int mean;
        Address out;
      } in{memory.add(table),
           rows,
           memory.add(index),
           weighted ? memory.add(weight) : Address{0},
           memory.add(first),
           bags,
           static_cast<long long>(count),
           mean ? 1 : 0,
           to};
      const Kernel k = kernel_named(kernel);
      for (const std::uint32_t block : {0u, 1u}) {
        Launch launch(k, memory, {128});
        launch.grid = {2};
        launch.index = {block, 0, 0};
        launch.dynamic_shared = 48 * 1024;
        launch.arguments(in);
        const Report report = run(launch, schedules(2));
        INFO(k.name << "\n" << report.text());
        CHECK(report.clean());
      }
      const auto out = memory.read<float>(to);
      for (std::size_t b = 0; b < bags; ++b)
        for (std::size_t c = 0; c < cols; ++c) {
          float sum = 0;
          int present = 0;
          for (auto i = static_cast<std::size_t>(first[b]);
               i < static_cast<std::size_t>(first[b + 1]); ++i) {
            if (index[i] < 0) continue;
            ++present;
            sum += (weighted ? weight[i] : 1.0f) *
                   table[static_cast<std::size_t>(index[i]) * cols + c];
          }
          CHECK(out[b * cols + c] ==
                sum * (mean && present > 1 ? 1.0f / static_cast<float>(present) : 1.0f));
        }
    }
}

}  // namespace

TEST_CASE("04 pools bags of any size, empty ones too, with absent rows") {
  check_bags<int>("Li34EiLi4ELi3E", 34);
  check_bags<long long>("Li17Ex", 17);
}

TEST_CASE("05 copies runs of any length and alignment, and touches no byte beside them") {
  const Kernel kernel = kernel_named("copy_bytes_kernel");
  for (const std::size_t length : {0u, 1u, 16u, 31u, 287u, 288u, 303u, 318u, 1330u})
    for (std::size_t pair = 0; pair < 256; pair += length == 303 ? 1 : 7) {
      const std::size_t from_offset = pair / 16, to_offset = pair % 16;
      const auto in = numbers<unsigned char>(from_offset + length);  // it ends with the run
      std::vector<unsigned char> expected(to_offset + length + 9, 0xa5);
      GlobalMemory memory;
      const Address from = memory.add(in) + from_offset, to = memory.add(expected);
      std::copy(in.begin() + static_cast<long>(from_offset), in.end(),
                expected.begin() + static_cast<long>(to_offset));
      for (const std::uint32_t block : {0u, 1u}) {
        Launch launch(kernel, memory, {64});
        launch.grid = {2};
        launch.index = {block, 0, 0};
        launch.dynamic_shared = 2048;
        launch.arguments(to + to_offset, from, static_cast<long long>(length));
        const Report report = run(launch, schedules(2));
        INFO(length << " bytes, offsets " << from_offset << ", " << to_offset << "\n"
                    << report.text());
        CHECK(report.clean());
      }
      INFO(length << " bytes, offsets " << from_offset << ", " << to_offset);
      CHECK((memory.read<unsigned char>(to) == expected));
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

namespace {

// An integer up to 2048 as fp16.
std::uint16_t half_of(int value) {
  if (value == 0) return 0;
  int exponent = 0;
  while (std::abs(value) >> (exponent + 1) != 0) ++exponent;
  const int fraction = (std::abs(value) << 10 >> exponent) & 1023;
  return static_cast<std::uint16_t>((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 | fraction);
}

struct Attended {
  std::vector<std::uint16_t> q, k, v;  // one head of K and V, `heads` of q
  int keys, heads, chunk;
};
std::vector<std::uint16_t> attend(int stages, const Attended& a) {
  GlobalMemory memory;
  const auto chunks = static_cast<unsigned>(std::max(1, (a.keys + a.chunk - 1) / a.chunk));
  struct {
    Address q, k, v, out, workspace, done;
    int kv_len, heads, kv_heads;
    float scale;
    int chunk, padding;
  } const decode{memory.add(a.q),
                 memory.add(a.k),
                 memory.add(a.v),
                 memory.add_output<std::uint16_t>(a.q.size()),
                 memory.add_output<float>(chunks * static_cast<std::size_t>(a.heads) * 129),
                 memory.add(std::vector<unsigned>{0}),
                 a.keys,
                 a.heads,
                 1,
                 1.0f,
                 a.chunk,
                 0};
  const Kernel kernel = kernel_named("decode_kernelILi" + std::to_string(stages) + "E");
  for (unsigned block = 0; block < chunks; ++block) {
    Launch launch(kernel, memory, {128});
    launch.grid = {chunks, 1, 1};
    launch.index.x = block;
    launch.dynamic_shared = static_cast<unsigned>(stages) * 32768 + 256;
    launch.arguments(decode);
    // One order where there are several blocks: a run counts its block as done.
    const Report report = chunks > 1 ? run(launch, Schedule::late()) : run(launch, schedules(1));
    INFO(kernel.name << ", block " << block << "\n" << report.text());
    CHECK(report.clean());
  }
  CHECK(memory.read<unsigned>(decode.done) == std::vector<unsigned>{0});
  return memory.read<std::uint16_t>(decode.out);
}

}  // namespace

TEST_CASE("13 averages values whose keys are all alike, and finds the one that is not") {
  constexpr std::size_t dim = 128;
  constexpr int heads = 3;
  for (const int stages : {3, 1})
    // Without chunks, and with a second one of 193 keys. (A stage that no whole tile was in before
    // has rows that nothing wrote: skipped ones, which are read, and then masked.)
    for (const auto& [keys, chunk, special] :
         {std::array{256, 256, -1}, std::array{256, 128, -1}, std::array{449, 256, 0},
          std::array{449, 256, 448}, std::array{0, 64, -1}}) {
      const auto rows = static_cast<std::size_t>(keys);
      Attended a{std::vector<std::uint16_t>(heads * dim),
                 std::vector<std::uint16_t>(rows * dim),
                 std::vector<std::uint16_t>(rows * dim),
                 keys,
                 heads,
                 chunk};
      std::vector<int> sum(dim);
      for (std::size_t i = 0; i < a.v.size(); ++i) {
        const int value = static_cast<int>(noise(i) % 16) - 8;
        a.v[i] = half_of(value);
        sum[i % dim] += value;
      }
      if (special >= 0)
        for (int head = 0; head < heads; ++head) {
          a.q[static_cast<std::size_t>(head) * dim + 5] = half_of(64);
          a.k[static_cast<std::size_t>(special) * dim + 5] = half_of(8);
        }
      const auto out = attend(stages, a);
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint16_t expected =
            keys == 0      ? std::uint16_t{0}
            : special >= 0 ? a.v[static_cast<std::size_t>(special) * dim + i % dim]
            // A sum divided by 256: eight less in the exponent, where it is not zero.
            : sum[i % dim] == 0 ? std::uint16_t{0}
                                : static_cast<std::uint16_t>(half_of(sum[i % dim]) - (8 << 10));
        REQUIRE(out[i] == expected);
      }
    }
}

TEST_CASE("12 adds the products with the matrices that the requests name, by both shapes") {
  struct Shape {
    const char* kernel;
    std::uint32_t threads, outputs;
  };
  for (const Shape& shape : {Shape{"bgmv_kernelINS_9BgmvShapeILi1E", 256, 1},
                             Shape{"bgmv_kernelINS_9BgmvShapeILi4E", 256, 4}})
    for (const std::size_t in : {8u, 2048u, 4104u}) {
      constexpr std::size_t out = 8, batch = 2, adapters = 3, layers = 2, layer = 1;
      const auto integer = [](std::size_t i) { return static_cast<int>(noise(i) % 3) - 1; };
      std::vector<std::uint16_t> x(batch * in), w(adapters * layers * out * in), y(batch * out);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = half_of(integer(i));
      for (std::size_t i = 0; i < w.size(); ++i) w[i] = half_of(integer(i + 7777));
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = half_of(static_cast<int>(i));
      const std::vector<long long> adapter{2, 0};
      GlobalMemory memory;
      const struct {
        Address y, x, w, adapter;
        int batch, in, out;
        long long adapters, layers, layer;
        float scale;
      } problem{memory.add(y), memory.add(x),
                memory.add(w), memory.add(adapter),
                batch,         static_cast<int>(in),
                out,           adapters,
                layers,        layer,
                2.0f};
      const Kernel kernel = kernel_named(shape.kernel);
      for (std::uint32_t b = 0; b < batch; ++b)
        for (std::uint32_t block = 0; block < out / shape.outputs; ++block) {
          Launch launch(kernel, memory, {shape.threads});
          launch.grid = {static_cast<std::uint32_t>(out) / shape.outputs, batch};
          launch.index = {block, b, 0};
          launch.dynamic_shared = 70 * 1024;
          launch.arguments(problem);
          const Report report = run(launch, schedules(block == 0 ? 1 : 0));
          INFO(kernel.name << ", " << in << " inputs\n" << report.text());
          CHECK(report.clean());
        }
      const auto got = memory.read<std::uint16_t>(problem.y);
      for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t j = 0; j < out; ++j) {
          const std::size_t row =
              ((static_cast<std::size_t>(adapter[b]) * layers + layer) * out + j) * in;
          int sum = 0;
          for (std::size_t k = 0; k < in; ++k) sum += integer(row + k + 7777) * integer(b * in + k);
          CHECK(got[b * out + j] == half_of(static_cast<int>(b * out + j) + 2 * sum));
        }
    }
}
