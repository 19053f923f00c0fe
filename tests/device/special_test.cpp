// SPDX-License-Identifier: Apache-2.0
// Gathered rows, unlike tiles in one stage, and sources of more than 2^31 elements.
#include "excepted.hpp"
#include "expect_right.hpp"
#include "special_kernels.hpp"
#include "support/catch.hpp"
#include "support/device_buffer.hpp"
#include "support/pattern.hpp"

using namespace tilepipe_test;

namespace {

int word(const DeviceBuffer& buffer, int i) {
  int value = -1;
  std::memcpy(&value, buffer.read().data() + i * sizeof(int), sizeof value);
  return value;
}
Bytes bytes_of(const std::vector<long long>& values) {
  Bytes raw(values.size() * sizeof(long long));
  if (!raw.empty()) std::memcpy(raw.data(), values.data(), raw.size());
  return raw;
}

// Appends what copy_ring's output of one element is: its bytes, or zeros if it is outside, changed
// by its place.
void append(Bytes& to, const Bytes& source, bool inside, std::size_t from, int bytes,
            long long tile, int i) {
  for (int b = 0; b < bytes; ++b)
    to.push_back((inside ? source[from + b] : 0) ^ place_byte(tile, i, b));
}

void gather_rows(const SpecialCase& c, long long tiles, int grid) {
  const GatherShape shape{37, c.cols + 8, c.cols + 12, 4, tiles};
  const Bytes source_content =
      source_bytes(static_cast<std::size_t>(shape.source_rows * shape.pitch) * 4);
  const long long all = tiles * grid * c.teams;
  std::vector<long long> rows;
  for (long long n = 0; n < all * c.rows; ++n) {
    long long row = n * n * 7 % shape.source_rows;                    // duplicates, no order
    if (c.zero_fill && n % 5 == 2) row = -1;                          // absent
#if !defined(TILEPIPE_CHECKS)                                         // which has a message for it
    if (c.zero_fill && n % 11 == 3) row = shape.source_rows + n % 3;  // outside
#endif
    rows.push_back(row);
  }
  Bytes expected;
  for (long long t = 0; t < all; ++t)
    for (int r = 0, i = 0; r < c.rows; ++r)
      for (int k = 0; k < c.cols; ++k, ++i) {
        const long long row = rows[static_cast<std::size_t>(t * c.rows + r)];
        const bool inside =
            row >= 0 && row < shape.source_rows && shape.col + k < shape.source_cols;
        append(expected, source_content, inside,
               inside ? static_cast<std::size_t>(row * shape.pitch + shape.col + k) * 4 : 0, 4, t,
               i);
      }
  const DeviceBuffer source(source_content), index(bytes_of(rows)), out(expected.size()),
      path(sizeof(int));
  launch(make_launch(c.name, c.kernel, Dim{static_cast<unsigned>(grid), 1, 1},
                     Dim{static_cast<unsigned>(c.threads), 1, 1}, c.shared_bytes, source.address(),
                     index.address(), out.address(), path.address(), shape));
  INFO(c.name << ", " << tiles << " tiles");
  CHECK((out.read() == expected));
  CHECK(out.broken_guard() == std::string());
  CHECK(path_name(word(path, 0)) == expected_path(c.name));
}

void mix(const SpecialCase& c, long long tiles, int passes) {
  const int grid = 2;
  const long long all = tiles * passes * grid * c.teams;
  const MixedShape shape{tiles,          all * mixed_rows - 5,   mixed_cols - 7,
                         mixed_cols + 4, all * mixed_bytes - 31, passes};
  const Bytes zeros = source_bytes(
      static_cast<std::size_t>(shape.float_rows > 0 ? shape.float_rows * shape.float_pitch : 0) *
      4);
  const Bytes any =
      source_bytes(static_cast<std::size_t>(shape.byte_count > 0 ? shape.byte_count : 0));
  const Bytes half =
      source_bytes(static_cast<std::size_t>(all) * mixed_half_rows * mixed_half_cols * 2);
  const Bytes line = source_bytes(static_cast<std::size_t>(all) * mixed_line * 4);
  Bytes expected[4];
  for (long long t = 0; t < all; ++t) {
    for (int r = 0, i = 0; r < mixed_rows; ++r)
      for (int k = 0; k < mixed_cols; ++k, ++i) {
        const long long row = t * mixed_rows - 2 + r, col = k - 4;
        const bool inside =
            row >= 0 && row < shape.float_rows && col >= 0 && col < shape.float_cols;
        append(expected[0], zeros, inside,
               inside ? static_cast<std::size_t>(row * shape.float_pitch + col) * 4 : 0, 4, t, i);
      }
    for (int i = 0; i < mixed_bytes; ++i) {
      const long long at = t * mixed_bytes - 7 + i;
      const bool inside = at >= 0 && at < shape.byte_count;
      append(expected[1], any, inside, inside ? static_cast<std::size_t>(at) : 0, 1, t, i);
    }
    for (int i = 0; i < mixed_half_rows * mixed_half_cols; ++i)
      append(expected[2], half, true,
             static_cast<std::size_t>(t * mixed_half_rows * mixed_half_cols + i) * 2, 2, t, i);
    for (int i = 0; i < mixed_line; ++i)
      append(expected[3], line, true, static_cast<std::size_t>(t * mixed_line + i) * 4, 4, t, i);
  }
  const DeviceBuffer from_zeros(zeros), from_any(any, 3), from_half(half), from_line(line);
  const DeviceBuffer to_zeros(expected[0].size()), to_any(expected[1].size()),
      to_half(expected[2].size()), to_line(expected[3].size()), path(4 * sizeof(int));
  launch(make_launch(c.name, c.kernel, Dim{grid, 1, 1}, Dim{static_cast<unsigned>(c.threads), 1, 1},
                     c.shared_bytes, from_zeros.address(), from_any.address(), from_half.address(),
                     from_line.address(), to_zeros.address(), to_any.address(), to_half.address(),
                     to_line.address(), path.address(), shape));
  INFO(c.name << ", " << tiles << " tiles");
  const DeviceBuffer* to[] = {&to_zeros, &to_any, &to_half, &to_line};
  for (int i = 0; i < 4; ++i) {
    INFO("tile " << i << " of the stage");
    CHECK((to[i]->read() == expected[i]));
    CHECK(to[i]->broken_guard() == std::string());
  }
  CHECK(path_name(word(path, 0)) == expected_path("mixed/tile:zeros"));
  CHECK(path_name(word(path, 1)) == expected_path("mixed/tile:any"));
  CHECK(path_name(word(path, 2)) == expected_path("mixed/tile:half"));
  const bool demanded = c.name.find("registers") != std::string::npos ||
                        c.name.find("cp_async") != std::string::npos ||
                        c.name.find("bulk") != std::string::npos ||
                        c.name.find("thread") != std::string::npos;
  CHECK(path_name(word(path, 3)) == expected_path(demanded ? c.name : "mixed/tile:line"));
}

void mix_box(const SpecialCase& c, long long tiles) {
  const int grid = 2;
  const long long all = tiles * grid;
  const MixedBoxShape shape{tiles, static_cast<int>(all * box_rows) + 2, box_cols - 11, 23};
  const long long pitch = (shape.cols + 7) / 8 * 8;
  const Bytes line = source_bytes(static_cast<std::size_t>(all * box_line));
  const Bytes boxes = source_bytes(static_cast<std::size_t>(shape.rows * pitch) * 2);
  const Bytes table = source_bytes(static_cast<std::size_t>(shape.entries) * table_cols * 4);
  std::vector<long long> index;
  for (long long n = 0; n < all * table_rows; ++n)
    index.push_back(n % 4 == 1 ? -1 : n * n * 5 % shape.entries);  // -1: absent
  Bytes expected[3];
  for (long long t = 0; t < all; ++t) {
    for (int i = 0; i < box_line; ++i)
      append(expected[0], line, true, static_cast<std::size_t>(t * box_line + i), 1, t, i);
    for (int i = 0; i < box_rows * box_cols; ++i) {
      const long long row = t * box_rows - 3 + i / box_cols, col = i % box_cols - 8;
      const bool inside = row >= 0 && row < shape.rows && col >= 0 && col < shape.cols;
      append(expected[1], boxes, inside,
             inside ? static_cast<std::size_t>(row * pitch + col) * 2 : 0, 2, t, i);
    }
    for (int i = 0; i < table_rows * table_cols; ++i) {
      const long long row = index[static_cast<std::size_t>(t * table_rows + i / table_cols)];
      append(expected[2], table, row >= 0,
             row >= 0 ? static_cast<std::size_t>(row * table_cols + i % table_cols) * 4 : 0, 4, t,
             i);
    }
  }
  const DeviceBuffer from_line(line), from_boxes(boxes), from_table(table),
      from_index(bytes_of(index));
  const DeviceBuffer to_line(expected[0].size()), to_box(expected[1].size()),
      to_rows(expected[2].size()), path(3 * sizeof(int));
  Launch record =
      make_launch(c.name, c.kernel, Dim{grid, 1, 1}, Dim{static_cast<unsigned>(c.threads), 1, 1},
                  c.shared_bytes, from_line.address(), from_table.address(), from_index.address(),
                  to_line.address(), to_box.address(), to_rows.address(), path.address(), shape);
  record.arguments.push_back(c.tensor_source(from_boxes.address(), shape.rows, shape.cols));
  launch(record);
  INFO(c.name << ", " << tiles << " tiles");
  const DeviceBuffer* to[] = {&to_line, &to_box, &to_rows};
  const char* name[] = {"line", "box", "rows"};
  for (int i = 0; i < 3; ++i) {
    INFO(name[i]);
    CHECK((to[i]->read() == expected[i]));
    CHECK(to[i]->broken_guard() == std::string());
    CHECK(path_name(word(path, i)) == expected_path(std::string("mixed_box/tile:") + name[i]));
  }
}

}  // namespace

TEST_CASE("gathered rows arrive with duplicates, rows outside and absent ones", "[device]") {
  REQUIRE_FALSE(special_cases("gather").empty());
  for (const SpecialCase& c : special_cases("gather")) {
    expect_architecture(c.kernel);
    for (long long tiles : tile_counts(c.stages)) gather_rows(c, tiles, 2);
  }
}

TEST_CASE("unlike tiles of one stage arrive each by its own path and edge", "[device]") {
  REQUIRE_FALSE(special_cases("mixed").empty());
  for (const SpecialCase& c : special_cases("mixed")) {
    expect_architecture(c.kernel);
    for (long long tiles : tile_counts(c.stages)) mix(c, tiles, 1);
    mix(c, c.stages + 1, 2);
  }
}

TEST_CASE("a tile by a map, gathered rows and a line arrive on one full barrier",
          "[device][sanitize]") {
  REQUIRE(special_cases("mixed_box").size() == (excepted("mixed_box/roles-2") ? 1 : 2));
  for (const SpecialCase& c : special_cases("mixed_box")) {
    expect_architecture(c.kernel);
    for (long long tiles : tile_counts(c.stages)) mix_box(c, tiles);
  }
}

TEST_CASE("loading threads run on into the next output tile while one is finished", "[device]") {
  REQUIRE_FALSE(special_cases("persistent").empty());
  constexpr int outputs = 5, tiles = outputs * persistent_inner;
  const Bytes content = source_bytes(tiles * persistent_words * sizeof(unsigned));
  std::vector<unsigned> x(content.size() / sizeof(unsigned)), expected(outputs * persistent_words);
  std::memcpy(x.data(), content.data(), content.size());
  for (int t = 0; t < tiles; ++t)
    for (int i = 0; i < persistent_words; ++i)
      expected[static_cast<std::size_t>(t / persistent_inner * persistent_words + i)] +=
          x[static_cast<std::size_t>(t * persistent_words + i)];
  for (const SpecialCase& c : special_cases("persistent")) {
    expect_architecture(c.kernel);
    INFO(c.name);
    const DeviceBuffer in(content), sums(expected.size() * sizeof(unsigned));
    const DeviceBuffer loaded(sizeof(int), 0, 0), ahead(outputs * sizeof(int)), path(sizeof(int));
    launch(make_launch(c.name, c.kernel, Dim{1, 1, 1}, Dim{static_cast<unsigned>(c.threads), 1, 1},
                       c.shared_bytes, in.address(), sums.address(), loaded.address(),
                       ahead.address(), path.address(), outputs));
    std::vector<unsigned> got(expected.size());
    std::memcpy(got.data(), sums.read().data(), got.size() * sizeof(unsigned));
    CHECK((got == expected));
    for (int o = 0; o < outputs; ++o) {
      const int last = (o + 1) * persistent_inner - 1;  // held, and the stages beyond it filled
      CHECK(word(ahead, o) >= (last + c.stages < tiles ? last + c.stages : tiles));
    }
    CHECK(path_name(word(path, 0)) == expected_path(c.name));
  }
}

TEST_CASE(
    "a source that the same grid wrote is read as written, and the user's own copies do no harm",
    "[device][sanitize]") {
  REQUIRE_FALSE(special_cases("acquire_source").empty());
  for (const std::string group : {"acquire_source", "own_copy"})
    for (const SpecialCase& c : special_cases(group)) {
      INFO(c.name);
      const bool kernel_writes = group == "acquire_source";
      constexpr long long tiles = 5, grid = 2;
      const long long all = tiles * grid * c.teams;
      const Bytes content = source_bytes(static_cast<std::size_t>(all * c.cols));
      Bytes expected;
      for (long long t = 0; t < all; ++t)
        for (int i = 0; i < c.cols; ++i)
          append(expected, content, true, static_cast<std::size_t>(t * c.cols + i), 1, t, i);
      DeviceBuffer source(content), out(expected.size()), path(sizeof(int));
      if (kernel_writes) source.fill(0);
      Launch record = make_launch(c.name, c.kernel, Dim{grid, 1, 1},
                                  Dim{static_cast<unsigned>(c.threads), 1, 1}, c.shared_bytes,
                                  source.address(), out.address(), path.address(), tiles);
      if (c.tensor_source != nullptr)
        record.arguments.push_back(c.tensor_source(source.address(), 1, all * c.cols));
      launch(record);
      CHECK((out.read() == expected));
      CHECK(out.broken_guard() == std::string());
      CHECK(path_name(word(path, 0)) == expected_path(c.name));
    }
}

TEST_CASE("small launches of gathered and mixed tiles", "[device][sanitize]") {
  for (const SpecialCase& c : special_cases("gather")) gather_rows(c, c.stages + 1, 1);
  for (const SpecialCase& c : special_cases("mixed")) mix(c, c.stages + 1, 1);
}

TEST_CASE("an observer is told of every tile by each thread of the role", "[device][sanitize]") {
  REQUIRE(special_cases("observed").size() == (excepted("observed/roles-automatic") ? 2 : 3));
  for (const SpecialCase& c : special_cases("observed"))
    for (int tiles : {0, 1, 3, 7}) {
      INFO(c.name << ", " << tiles << " tiles");
      const DeviceBuffer in(static_cast<std::size_t>(tiles) * 256);
      const DeviceBuffer counts(static_cast<std::size_t>(c.threads) * 9 * sizeof(int), 0, 0);
      launch(make_launch(c.name, c.kernel, Dim{1, 1, 1},
                         Dim{static_cast<unsigned>(c.threads), 1, 1}, c.shared_bytes, in.address(),
                         counts.address(), static_cast<long long>(tiles)));
      for (int thread : {0, 63, c.threads - 1}) {
        const bool loads = c.rows == 0 || thread >= c.rows;
        const bool computes = c.rows == 0 || thread < c.rows;
        auto counted = [&](int hook) { return word(counts, 9 * thread + hook); };
        CHECK(counted(0) == 1);                       // begin
        CHECK(counted(1) >= (loads ? tiles : 0));     // acquire, perhaps of a stage not filled
        CHECK(counted(2) == (loads ? tiles : 0));     // issue
        CHECK(counted(3) == (loads ? tiles : 0));     // commit
        CHECK(counted(4) == (computes ? tiles : 0));  // wait_begin
        CHECK(counted(5) == (computes ? tiles : 0));  // wait_end
        CHECK(counted(6) == (computes ? tiles : 0));  // release
        CHECK(counted(7) >= 1);                       // drain
        CHECK(counted(8) == 1);                       // end
      }
    }
}

TEST_CASE("sources of more than 2^31 elements are read at their last row and last tile",
          "[device][large]") {
  const std::vector<SpecialCase> cases = special_cases("large");
  REQUIRE(cases.size() >= 6);
  constexpr long long rows = (5ll << 30) / 2 / large_row + 100003;  // over 5 GiB of 2-byte elements
  constexpr long long elements = rows * large_row + 24;
  static_assert(elements > (1ll << 31), "");
  void* memory = nullptr;
  try {
    memory = backend().allocate(static_cast<std::size_t>(elements) * 2);
  } catch (const LaunchError& e) {
    FAIL("5 GiB of device memory are needed: " << e.what());
  }
  const DeviceAddress source{memory, static_cast<std::size_t>(elements) * 2};
  auto value = [](long long i) {
    return static_cast<unsigned>(source_byte(i) | source_byte(i ^ 0x5555) << 8);
  };

  constexpr long long written = 1 << 16;  // elements at either end
  for (long long first : {0ll, elements - written})
    launch(make_launch("large/fill", cases[0].kernel, Dim{written / 64, 1, 1}, Dim{64, 1, 1}, 0,
                       source, first, static_cast<long long>(written)));

  for (const SpecialCase& c : cases) {
    if (c.name == "large/fill") continue;
    INFO(c.name);
    const bool line = c.name.find("line") != std::string::npos;
    const int count = line ? 4 * large_tile : 2 * 8 * large_row;
    // Four tiles of which the last ends 8 elements behind the source; or the last 16 rows (with
    // zeros: 3 beyond).
    const long long first =
        line ? elements - 4 * large_tile + 8 : rows - 16 + (c.zero_fill ? 3 : 0);
    const LargeShape shape{elements, rows, large_row, first};
    const DeviceBuffer out(static_cast<std::size_t>(count) * 2);
    launch(make_launch(c.name, c.kernel, Dim{1, 1, 1}, Dim{64, 1, 1}, c.shared_bytes, source,
                       out.address(), shape));
    const Bytes got = out.read();
    int wrong = -1;
    for (int i = 0; i < count && wrong < 0; ++i) {
      const long long at = line ? first + i : first * large_row + i;
      const long long end = line ? elements : rows * large_row;
      const unsigned expected = at < end ? value(at) : 0;
      if ((got[2 * i] | got[2 * i + 1] << 8) != static_cast<int>(expected)) wrong = i;
    }
    CHECK(wrong == -1);
  }
  backend().deallocate(memory);
}
