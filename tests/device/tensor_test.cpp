// SPDX-License-Identifier: Apache-2.0
// Tensor copies of every rank, swizzle and element, at starts on all sides of the source; single
// boxes of every height against every remainder; the bit that the workaround clears.
#include <cstring>
#include <numeric>

#include "excepted.hpp"
#include "expect_right.hpp"
#include "support/catch.hpp"
#include "support/device_buffer.hpp"
#include "support/pattern.hpp"
#include "support/swizzle_table.hpp"
#include "tensor_case.hpp"

using namespace tilepipe_test;

namespace {

long long round_up(long long value, long long to) { return (value + to - 1) / to * to; }

// A source of odd extents: two tiles and a bit along each dimension, strides with gaps.
TensorView view_of(const TensorCase& c, bool empty) {
  TensorView v;
  v.rank = c.rank;
  long long bytes = 0;
  for (int d = c.rank - 1; d >= 0; --d) {
    v.extent[d] = c.extent[d] * 2 + (c.extent[d] > 2 ? c.extent[d] / 3 : 1);
    v.stride[d] = bytes;
    if (d == c.rank - 1) {
      v.stride[d] = c.element_bytes;
      bytes = v.extent[d] * c.element_bytes;
    } else {
      bytes = bytes * v.extent[d];
    }
    const long long unit = c.element_bytes % 3 == 0 ? 48 : 16;
    bytes = round_up(bytes + 1, unit);
  }
  v.from.extent = static_cast<std::size_t>(bytes);
  if (empty) v.extent[c.rank - 1] = 0;
  return v;
}

// Elements between starts in a row: the hardware takes multiples of 16 bytes.
int start_step(const TensorCase& c) { return 16 / std::gcd(16, c.element_bytes); }

// Starts: for each dimension the others' are inside; and all of them outside by a little, by more
// than a tile, and by more than 32 bits can say.
std::vector<long long> starts_of(const TensorCase& c, const TensorView& v) {
  const int step = start_step(c);
  std::vector<long long> starts;
  const auto place = [&](int dimension, long long at) {
    for (int d = 0; d < c.rank; ++d) {
      const long long other = d == c.rank - 1 ? 0 : v.extent[d] > c.extent[d] ? 1 : 0;
      starts.push_back(d == dimension || dimension < 0 ? at : other);
    }
  };
  const long long far = 1ll << 33;
  for (int d = 0; d < c.rank; ++d) {
    const long long unit = d == c.rank - 1 ? step : 1;
    for (long long at : {-far, -(far >> 2), -c.extent[d] - 1ll, -1ll * c.extent[d],
                         1ll - c.extent[d], -c.extent[d] / 2ll, -1ll, 0ll, 1ll,
                         v.extent[d] - c.extent[d], v.extent[d] - c.extent[d] + 1, v.extent[d] - 1,
                         v.extent[d], v.extent[d] + 1, far >> 2, far, far + 1})
      place(d, at / unit * unit);
  }
  place(-1, -step);
  place(-1, 0);
  return starts;
}

// What the storage of one tile must be.
Bytes expected_tile(const TensorCase& c, const TensorView& v, const Bytes& source,
                    const long long* start) {
  int rows = 1;
  for (int d = 0; d + 1 < c.rank; ++d) rows *= c.extent[d];
  const int cols = c.extent[c.rank - 1], row_bytes = cols * c.element_bytes;
  Bytes tile(static_cast<std::size_t>(rows) * row_bytes, 0);
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < cols; ++k) {
      int rest = r;
      long long at = 0;
      bool inside = true;
      for (int d = c.rank - 1; d >= 0; --d) {
        const long long index = start[d] + (d == c.rank - 1 ? k : rest % c.extent[d]);
        if (d < c.rank - 1) rest /= c.extent[d];
        inside = inside && index >= 0 && index < v.extent[d];
        at += inside ? index * v.stride[d] : 0;
      }
      if (!inside) continue;
      for (int b = 0; b < c.element_bytes; ++b) {
        const int byte = k * c.element_bytes + b;
        const int to =
            c.swizzle == 0 ? r * row_bytes + byte : swizzled_offset(c.swizzle, rows, r, byte);
        tile[static_cast<std::size_t>(to)] = source[static_cast<std::size_t>(at + b)];
      }
    }
  return tile;
}

std::string run(const TensorCase& c, bool empty) {
  TensorView v = view_of(c, empty);
  const Bytes content = source_bytes(v.from.extent);
  const DeviceBuffer source(content);
  v.from = source.address();
  const std::vector<long long> starts = starts_of(c, v);
  const long long tiles = static_cast<long long>(starts.size()) / c.rank;
  Bytes raw(starts.size() * sizeof(long long));
  std::memcpy(raw.data(), starts.data(), raw.size());
  const DeviceBuffer places(raw);
  Bytes expected;
  for (long long t = 0; t < tiles; ++t) {
    const Bytes tile = expected_tile(c, v, content, &starts[static_cast<std::size_t>(t * c.rank)]);
    expected.insert(expected.end(), tile.begin(), tile.end());
  }
  DeviceBuffer out(expected.size());
  Launch record = make_launch(c.name, c.kernel, Dim{1, 1, 1},
                              Dim{static_cast<unsigned>(c.threads), 1, 1}, c.shared_bytes);
  record.arguments = {c.source(v), argument(places.address()), argument(out.address()),
                      argument(tiles)};
  for (int i = 0; i < 2; ++i) {
    out.fill(output_poison);
    launch(record);
    const Bytes got = out.read();
    const long long tile_bytes = static_cast<long long>(expected.size()) / tiles;
    for (std::size_t b = 0; b < got.size(); ++b)
      if (got[b] != expected[b]) {
        const long long t = static_cast<long long>(b) / tile_bytes;
        std::string at;
        for (int d = 0; d < c.rank; ++d)
          at += " " + std::to_string(starts[static_cast<std::size_t>(t * c.rank + d)]);
        return c.name + (empty ? ", empty" : "") + ": tile at" + at + ", byte " +
               std::to_string(static_cast<long long>(b) % tile_bytes) + ": " +
               std::to_string(got[b]) + " instead of " + std::to_string(expected[b]);
      }
  }
  return out.broken_guard();
}

}  // namespace

TEST_CASE("tensor copies bring tiles of each rank and swizzle and element from every start",
          "[device]") {
  REQUIRE(tensor_cases().size() == (TILEPIPE_TEST_ARCH >= 90 ? 19 : 6));
  for (const TensorCase& c : tensor_cases()) {
    expect_architecture(c.kernel);
    CHECK(run(c, false) == "");
  }
}

TEST_CASE("tiles of a mapped source without elements are zeros", "[device]") {
  for (const TensorCase& c : tensor_cases()) CHECK(run(c, true) == "");
}

TEST_CASE("small tensor copies", "[device][sanitize]") {
  for (const TensorCase& c : tensor_cases())
    if (!excepted(c.name)) CHECK(run(c, false) == "");
}

#if TILEPIPE_TEST_ARCH >= 90
TEST_CASE("boxes of 1 to 256 rows are whole or cut or outside when they start anywhere",
          "[device]") {
  constexpr int rows = 300, cols = 10, pitch = 48, box_cols = 8;
  const Bytes content = source_bytes(static_cast<std::size_t>(rows) * pitch);
  const DeviceBuffer matrix(content);
  for (int height = 1; height <= 256; ++height) {
    const int bytes = height * box_cols * 4;
    const int first = rows - height - 1, blocks = height + 3;  // from one row inside to all outside
    for (const int from : {first, -height - 1}) {              // and the same at the other end
      const int col = height % 2 == 0 ? -4 : 4;                // cut in its columns as well
      DeviceBuffer out(static_cast<std::size_t>(blocks) * bytes);
      out.fill(output_poison);
      Launch record =
          make_launch("tensor/box", box_kernel(), Dim{static_cast<unsigned>(blocks), 1, 1},
                      Dim{64, 1, 1}, static_cast<std::size_t>(bytes));
      record.arguments = {box_map(matrix.address(), rows, cols, pitch, height, box_cols, false),
                          argument(from), argument(col), argument(bytes), argument(out.address())};
      launch(record);
      const Bytes got = out.read();
      std::string wrong;
      for (int block = 0; block < blocks && wrong.empty(); ++block)
        for (int r = 0; r < height && wrong.empty(); ++r)
          for (int k = 0; k < box_cols * 4; ++k) {
            const int row = from + block + r, byte = col * 4 + k;
            const bool inside = row >= 0 && row < rows && byte >= 0 && byte < cols * 4;
            const unsigned char want =
                inside ? content[static_cast<std::size_t>(row) * pitch + byte] : 0;
            if (got[static_cast<std::size_t>(block) * bytes + r * box_cols * 4 + k] != want)
              wrong = "height " + std::to_string(height) + ", first row " +
                      std::to_string(from + block) + ", row " + std::to_string(r) + ", byte " +
                      std::to_string(k);
          }
      CHECK(wrong == "");
      CHECK(out.broken_guard() == "");
    }
  }
}

TEST_CASE("the workaround for small tensors changes one bit of the map and no element",
          "[device]") {
  constexpr int rows = 20, cols = 10, pitch = 48;
  const Bytes content = source_bytes(static_cast<std::size_t>(rows) * pitch);
  const DeviceBuffer matrix(content);
  const Argument plain = box_map(matrix.address(), rows, cols, pitch, 8, 8, false);
  const Argument changed = box_map(matrix.address(), rows, cols, pitch, 8, 8, true);
  for (std::size_t i = 0; i < 128; ++i) {
    const int difference = plain.bytes[i] ^ changed.bytes[i];
    CHECK((i == 10 ? difference & ~0x20 : difference) == 0);  // bit 85
  }
  CHECK((changed.bytes[10] & 0x20) == 0);
  Bytes got[2];
  for (int i = 0; i < 2; ++i) {
    DeviceBuffer out(4 * 256);
    Launch record =
        make_launch("tensor/workaround", box_kernel(), Dim{4, 1, 1}, Dim{64, 1, 1}, 256);
    record.arguments = {i == 0 ? plain : changed, argument(10), argument(4), argument(256),
                        argument(out.address())};
    launch(record);
    got[i] = out.read();
  }
  CHECK(got[0] == got[1]);
}
#endif
