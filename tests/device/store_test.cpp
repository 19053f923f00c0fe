// SPDX-License-Identifier: Apache-2.0
// What StorePipeline writes to global memory, byte by byte, and that it writes nothing else.
#include <numeric>

#include "excepted.hpp"
#include "expect_right.hpp"
#include "store_case.hpp"
#include "support/catch.hpp"
#include "support/device_buffer.hpp"

using namespace tilepipe_test;

namespace {

bool contains(const CopyCase& c, const char* part) {
  return c.name.find(part) != std::string::npos;
}

// Whole tiles for Exact, cut ones for Skip, with pitches that keep the case's promise.
Scenario fitting(const CopyCase& c, long long tiles, int passes = 1) {
  Scenario s =
      c.edge == EdgeKind::skip ? cut_tiles(c, tiles, passes) : whole_tiles(c, tiles, passes);
  Geometry& g = s.geometry;
  if (contains(c, "packed")) {  // rows without gaps: one tile below the other
    g.across = 1;
    g.extent[1] = (1 + s.grid * tiles * passes) * c.extent[1];
    g.extent[2] = g.row_pitch = c.extent[2];
  }
  const long long step = c.promise <= 1 ? 1 : c.promise / std::gcd(c.promise, c.element_bytes);
  if (g.row_pitch == 0) g.row_pitch = (g.extent[2] + step) / step * step;
  g.slice_pitch = (g.extent[1] + 1) * g.row_pitch;
  return s;
}

std::size_t bytes_of(const CopyCase& c, const Geometry& g) {
  if (g.extent[0] <= 0 || g.extent[1] <= 0 || g.extent[2] <= 0) return 0;
  const long long elements =
      (g.extent[0] - 1) * g.slice_pitch + (g.extent[1] - 1) * g.row_pitch + g.extent[2];
  return static_cast<std::size_t>(elements) * static_cast<std::size_t>(c.element_bytes);
}

// Each byte inside is its tile's and element's; with a source, xor what was loaded there. The rest
// stays as it was.
Bytes expected_bytes(const CopyCase& c, const Scenario& s, const Bytes& source) {
  const Geometry& g = s.geometry;
  Bytes out(bytes_of(c, g), output_poison);
  for (long long n = 0; n < s.grid * c.teams * g.tiles * g.passes; ++n) {
    const long long x = n % g.across, rest = n / g.across;
    const long long start[3] = {g.first[0] + rest / g.down * c.extent[0],
                                g.first[1] + rest % g.down * c.extent[1],
                                g.first[2] + x * c.extent[2]};
    int i = 0;
    for (long long d = start[0]; d < start[0] + c.extent[0]; ++d)
      for (long long r = start[1]; r < start[1] + c.extent[1]; ++r)
        for (long long k = start[2]; k < start[2] + c.extent[2]; ++k, ++i) {
          if (d < 0 || d >= g.extent[0] || r < 0 || r >= g.extent[1] || k < 0 || k >= g.extent[2])
            continue;
          const std::size_t at = static_cast<std::size_t>(d * g.slice_pitch + r * g.row_pitch + k) *
                                 static_cast<std::size_t>(c.element_bytes);
          for (int b = 0; b < c.element_bytes; ++b)
            out[at + static_cast<std::size_t>(b)] = static_cast<unsigned char>(
                place_byte(n, i, b) ^
                (source.empty() ? 0 : source[at + static_cast<std::size_t>(b)]));
        }
  }
  return out;
}

void check_path(const CopyCase& c, const DeviceBuffer& path) {
  int word = -1;
  std::memcpy(&word, path.read().data(), sizeof word);
  CHECK(path_name(word) == expected_path(c.name));
}
// Elements that were not what the kernel had written, in the word behind the path.
void check_faults(const DeviceBuffer& path) {
  int faults = -1;
  std::memcpy(&faults, path.read().data() + sizeof(int), sizeof faults);
  CHECK(faults == 0);
}
void check_bytes(const DeviceBuffer& out, const Bytes& expected) {
  const Bytes got = out.read();
  std::size_t wrong = 0;
  while (wrong < got.size() && got[wrong] == expected[wrong]) ++wrong;
  CHECK(wrong == got.size());  // else the first byte that differs
  CHECK(out.broken_guard() == std::string());
}

// With a map where there is one.
void store(const CopyCase& c, const Scenario& s, const MappedStore* mapped = nullptr) {
  const Geometry& g = s.geometry;
  INFO(c.name << ", " << g.tiles << " tiles, " << g.passes << " passes, output at "
              << s.output_offset << ", delayed warp " << g.delay.warp << " lane " << g.delay.lane);
  const bool loaded = contains(c, "store_loaded/") || contains(c, "in_place");
  const Bytes content = loaded ? source_bytes(bytes_of(c, g)) : Bytes();
  // memcheck takes a cp.async for a read of its whole width, whatever its source size
  const DeviceBuffer in(content, 0, c.edge == EdgeKind::skip ? 16 : 1),
      path(Bytes(2 * sizeof(int)));
  DeviceBuffer out(bytes_of(c, g), static_cast<std::size_t>(s.output_offset), output_poison);
  Launch record = make_launch(c.name, c.kernel, Dim{static_cast<unsigned>(s.grid), 1, 1},
                              Dim{static_cast<unsigned>(c.threads), 1, 1}, c.shared_bytes,
                              out.address(), path.address(), g);
  if (mapped != nullptr) record.arguments[0] = mapped->destination(out.data(), g);
  if (loaded)
    record.arguments.insert(record.arguments.begin(), mapped != nullptr
                                                          ? mapped->destination(in.data(), g)
                                                          : argument(in.address()));
  for (int i = 0; i < s.launches; ++i) {
    out.fill(output_poison);
    launch(record);
    check_bytes(out, expected_bytes(c, s, content));
  }
  check_path(c, path);
  check_faults(path);
}

// Fewer tiles than slots and many rounds; drained and reused; each end of the block late.
void sweep(const CopyCase& c, const MappedStore* mapped = nullptr) {
  expect_architecture(c.kernel);
  for (const long long tiles : {0, 1, c.stages, c.stages + 1, 4 * c.stages + 3})
    store(c, fitting(c, tiles), mapped);
  store(c, fitting(c, c.stages + 1, 3), mapped);
  for (const int warp : {0, (c.threads - 1) / 32}) {
    Scenario s = fitting(c, 2 * c.stages + 2);
    s.launches = 1;
    s.geometry.delay.warp = warp;
    s.geometry.delay.lane = contains(c, "thread") ? 5 : -1;
    s.geometry.delay.every = 2;
    store(c, s, mapped);
  }
}
// A case with edges, by whole tiles.
CopyCase without_edges(CopyCase c) {
  c.edge = EdgeKind::exact;
  return c;
}

// A number from 0 to 255 as the bytes of an element type, which the case's name ends with.
Bytes number_bytes(const CopyCase& c, unsigned value) {
  Bytes bytes(static_cast<std::size_t>(c.element_bytes), 0);
  const auto put = [&](auto typed) { std::memcpy(bytes.data(), &typed, sizeof typed); };
  const auto number = static_cast<float>(value);
  if (contains(c, "float")) {
    put(number);
  } else if (contains(c, "double")) {
    put(static_cast<double>(number));
  } else if (contains(c, "half") || contains(c, "bf16")) {
    unsigned bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    if (contains(c, "half") && value != 0)  // 5 exponent bits of bias 15, 10 of fraction
      bits = ((bits >> 23) - 112) << 26 | (bits >> 13 & 0x3ff) << 16;
    put(static_cast<unsigned short>(bits >> 16));
  } else {
    put(static_cast<unsigned char>(value));
  }
  return bytes;
}

// `tiles` tiles a block of 4 blocks are added to `across` places in a row. With edges the first is
// cut by 32 bytes or not at all, the last by `cut` elements, and all by a row if there are several.
void add(const CopyCase& c, long long tiles, long long across, int offset,
         const MappedStore* mapped = nullptr, int cut = 61) {
  constexpr int blocks = 4;
  const int rows = c.extent[1], cols = c.extent[2];
  Geometry g;
  g.tiles = tiles;
  g.across = across;
  g.extent[1] = rows;
  g.extent[2] = across * cols;
  if (c.edge == EdgeKind::skip) {
    if (cut % 2 != 0) g.first[2] = -(16 / c.element_bytes) * 2;
    g.extent[2] -= cut;
    if (rows > 1) --g.extent[1];
  }
  g.row_pitch = (g.extent[2] + 7) / 8 * 8;
  INFO(c.name << ", " << tiles << " tiles to " << across << " places at " << offset << ", cut by "
              << cut);
  std::vector<unsigned> sums(
      static_cast<std::size_t>((g.extent[1] - 1) * g.row_pitch + g.extent[2]), 3);
  for (long long n = 0; n < tiles * blocks; ++n)
    for (int i = 0; i < rows * cols; ++i) {
      const long long row = i / cols, col = g.first[2] + n % across * cols + i % cols;
      if (row < g.extent[1] && col >= 0 && col < g.extent[2])
        sums[static_cast<std::size_t>(row * g.row_pitch + col)] +=
            static_cast<unsigned>((n + i) % 4);
    }
  Bytes before, expected;
  for (const unsigned sum : sums) {
    REQUIRE(sum < 256);
    for (const unsigned char b : number_bytes(c, 3)) before.push_back(b);
    for (const unsigned char b : number_bytes(c, sum)) expected.push_back(b);
  }
  const DeviceBuffer path(sizeof(int));
  const DeviceBuffer out(before, static_cast<std::size_t>(offset));
  Launch record =
      make_launch(c.name, c.kernel, Dim{blocks, 1, 1}, Dim{static_cast<unsigned>(c.threads), 1, 1},
                  c.shared_bytes, out.address(), path.address(), g);
  if (mapped != nullptr) record.arguments[0] = mapped->destination(out.data(), g);
  launch(record);
  check_bytes(out, expected);
  check_path(c, path);
}

}  // namespace

TEST_CASE("every store ring leaves its tiles' bytes and no others", "[device]") {
  REQUIRE(copy_cases("store").size() >= 35);
  for (const CopyCase& c : copy_cases("store")) {
    sweep(c);
    if (c.edge == EdgeKind::skip) store(c, fitting(without_edges(c), c.stages + 2));
  }
}

TEST_CASE("a store ring takes every alignment that its promise allows", "[device]") {
  for (const CopyCase& c : copy_cases("store")) {
    const int step = c.promise < c.element_align ? c.element_align : c.promise;
    for (int offset = step; offset <= 16; offset += step) {
      Scenario s = fitting(c, c.stages + 1);
      s.launches = 1;
      s.output_offset = offset;
      store(c, s);
    }
  }
}

TEST_CASE("tiles go from a ring of loads through a ring of stores", "[device]") {
  REQUIRE(copy_cases("store_loaded").size() == 4);
  for (const CopyCase& c : copy_cases("store_loaded")) {
    sweep(c);
    Scenario s = fitting(c, c.stages + 1, 2);
    s.geometry.drain = 1;
    store(c, s);
  }
}

TEST_CASE("tiles are stored from the stages that they were loaded to", "[device]") {
  REQUIRE(copy_cases("store_in_place").size() >= 30);
  for (const CopyCase& c : copy_cases("store_in_place")) {
    sweep(c);
    if (contains(c, "thread")) continue;  // not all threads of a block are in one ring
    Scenario s = fitting(c, c.stages + 3, contains(c, "verbs") || contains(c, "dropped") ? 1 : 2);
    s.geometry.drain = 1;
    store(c, s);
  }
  REQUIRE(mapped_in_place().size() == 3);
  for (const MappedStore& m : mapped_in_place()) {
    sweep(m.c, &m);
    store(m.c, fitting(without_edges(m.c), m.c.stages + 2), &m);
  }
}

TEST_CASE("tiles are stored by a map, and by its view where that cannot be", "[device]") {
  REQUIRE(mapped_stores().size() == 12);
  for (const MappedStore& m : mapped_stores()) {
    sweep(m.c, &m);
    store(m.c, fitting(without_edges(m.c), m.c.stages + 2), &m);
    Scenario empty = fitting(m.c, m.c.stages + 2);
    empty.geometry.extent[2] = 0;
    store(m.c, empty, &m);
    Bytes zeros(16, output_poison);
    backend().read(zeros.data(), backend().zeros(), zeros.size());
    CHECK((zeros == Bytes(16)));  // the map of an empty destination is not stored by
  }
}

TEST_CASE("tiles of many blocks are added to the same places", "[device]") {
  REQUIRE(copy_cases("store_add").size() == 14);
  for (const CopyCase& c : copy_cases("store_add")) {
    expect_architecture(c.kernel);
    for (const long long tiles : {0, 1, 2, 7, 20}) add(c, tiles, 3, 0);
    add(c, 5, 1, 16);
    if (contains(c, "any-") || contains(c, "odd-")) add(c, 5, 2, c.element_bytes);
  }
}

TEST_CASE("tiles are added by a map, and by its view where rows are cut", "[device]") {
  REQUIRE(mapped_adds().size() == 6);
  for (const MappedStore& m : mapped_adds()) {
    expect_architecture(m.c.kernel);
    for (const long long tiles : {0, 1, 2, 7, 20}) add(m.c, tiles, 3, 0, &m);
    for (const int cut : {0, 16, 32}) add(m.c, 7, 3, 16, &m, cut);  // whole chunks of 16 bytes
    add(without_edges(m.c), 5, 2, 0, &m);
  }
}

TEST_CASE("small launches of stores", "[device][sanitize]") {
  for (const char* group : {"store", "store_loaded", "store_in_place"})
    for (const CopyCase& c : copy_cases(group)) {
      if (excepted(c.name)) continue;
      Scenario s = fitting(c, 2 * c.stages + 1);
      s.launches = 1;
      store(c, s);
    }
  for (const MappedStore& m : mapped_stores()) {
    if (excepted(m.c.name)) continue;
    Scenario s = fitting(m.c, 2 * m.c.stages + 1);
    s.launches = 1;
    store(m.c, s, &m);
  }
  for (const MappedStore& m : mapped_in_place()) {
    if (excepted(m.c.name)) continue;
    Scenario s = fitting(m.c, 2 * m.c.stages + 1);
    s.launches = 1;
    store(m.c, s, &m);
  }
  for (const CopyCase& c : copy_cases("store_add")) add(c, 3, 2, 0);
  for (const MappedStore& m : mapped_adds()) add(m.c, 3, 2, 0, &m);
}
