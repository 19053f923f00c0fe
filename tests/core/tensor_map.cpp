// SPDX-License-Identifier: Apache-2.0
// Tests of the rules of tensor maps: each limit from both sides, for every dimension, rank, element
// and swizzle; and of the sentences.
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <tilepipe/host/tensor_rules.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;
using Rule = TensorRule;

constexpr index_t terabyte = index_t{1} << 40;

// A request of that rank that breaks nothing: boxes of 16 x 64, 32 or 16 elements.
TensorMapRequest good(int rank, TensorElement element = TensorElement::uint32) {
  TensorMapRequest r;
  r.address = 1 << 20;
  r.element = element;
  r.rank = rank;
  index_t stride = 4096;
  for (int d = rank - 1; d >= 0; --d) {
    r.extent[d] = 256;
    r.box[d] = d == rank - 1 ? 16 : 4;
    if (d < rank - 1) r.stride[d] = stride;
    if (d < rank - 1) stride *= 256;
  }
  if (is_packed_16(element)) r.box[rank - 1] = 128;
  if (element == TensorElement::u4_align8) r.box[rank - 1] = 64;
  return r;
}

// What a request is refused for, and that value and dimension are those that break the rule.
void expect_rule(Tally& tally, const TensorMapRequest& r, Rule rule, int dimension, index_t value) {
  const BrokenTensorRule broken = check_tensor_map(r);
  const bool right =
      broken.rule == rule &&
      (rule == Rule::none || (broken.dimension == dimension && broken.value == value));
  tally.expect(right, "rule",
               {static_cast<long long>(rule), static_cast<long long>(broken.rule), dimension, value,
                broken.value, r.rank});
}

constexpr TensorElement elements[] = {
    TensorElement::uint8,        TensorElement::uint16,      TensorElement::uint32,
    TensorElement::int32,        TensorElement::uint64,      TensorElement::int64,
    TensorElement::float16,      TensorElement::float32,     TensorElement::float64,
    TensorElement::bfloat16,     TensorElement::float32_ftz, TensorElement::tfloat32,
    TensorElement::tfloat32_ftz, TensorElement::u4_align8,   TensorElement::u4_align16,
    TensorElement::u6_align16};
// Bits of each, by hand.
constexpr int bits[] = {8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32, 4, 4, 6};
constexpr bool floating[] = {false, false, false, false, false, false, true,  true,
                             true,  true,  true,  true,  true,  false, false, false};

}  // namespace

TEST_CASE("check_tensor_map finds nothing when a request of any rank and element is good") {
  Tally tally;
  for (const TensorElement element : elements)
    for (int rank = 1; rank <= 5; ++rank) expect_rule(tally, good(rank, element), Rule::none, 0, 0);
  for (int rank = -2; rank <= 8; ++rank) {
    TensorMapRequest r = good(rank >= 1 && rank <= 5 ? rank : 1);
    r.rank = rank;
    expect_rule(tally, r, rank >= 1 && rank <= 5 ? Rule::none : Rule::rank, -1, rank);
  }
  CHECK(tally.report() == "");
}

TEST_CASE("check_tensor_map wants addresses of 16 and 32 bytes when elements and interleave do") {
  Tally tally;
  for (int i = 0; i < 16; ++i)
    for (unsigned low = 0; low < 64; ++low)
      for (const bool by_32 : {false, true}) {
        TensorMapRequest r = good(3, elements[i]);
        if (by_32) {
          r.interleave = TensorInterleave::bytes_32;
          r.swizzle = TensorSwizzle::bytes_32;
        }
        if (by_32 && elements[i] == TensorElement::u6_align16) continue;
        if (by_32 && elements[i] == TensorElement::u4_align16) continue;
        r.address += low;
        const bool wide = by_32 || i >= 14;
        expect_rule(tally, r,
                    low % 16 != 0           ? Rule::address_16
                    : wide && low % 32 != 0 ? Rule::address_32
                                            : Rule::none,
                    -1, static_cast<index_t>(r.address));
      }
  TensorMapRequest null = good(2);
  null.address = 0;
  expect_rule(tally, null, Rule::null_address, -1, 0);
  CHECK(tally.report() == "");
}

TEST_CASE("check_tensor_map bounds extents when each dimension of each rank sweeps its limits") {
  Tally tally;
  const index_t most = index_t{1} << 32, signed_most = (index_t{1} << 31) - 1;
  for (int rank = 1; rank <= 5; ++rank)
    for (int d = 0; d < rank; ++d) {
      TensorMapRequest r = good(rank);
      const auto expect = [&](index_t extent, Rule rule) {
        r.extent[d] = extent;
        expect_rule(tally, r, rule, d, extent);
      };
      expect(unbounded, Rule::unbounded);
      for (index_t n = -70; n < unbounded; ++n) expect(n, Rule::extent_positive);
      expect(0, Rule::extent_positive);
      for (index_t n = 1; n <= 70; ++n) expect(n, Rule::none);
      expect(signed_most - 1, Rule::none);
      expect(signed_most, Rule::none);
      expect(signed_most + 1, Rule::extent_coordinates);
      expect(most, Rule::extent_coordinates);
      expect(most + 1, Rule::extent_most);
      expect(INT64_MAX, Rule::extent_most);
      expect(INT64_MIN, Rule::extent_positive);
      for (const TensorElement packed : {TensorElement::u4_align16, TensorElement::u6_align16})
        for (index_t n = 1; n <= 400; ++n) {
          r = good(rank, packed);
          expect(n, d == rank - 1 && n % 128 != 0 ? Rule::extent_128 : Rule::none);
        }
      for (index_t n = 1; n <= 70; ++n) {
        r = good(rank, TensorElement::u4_align8);
        expect(n, d == rank - 1 && n % 2 != 0 ? Rule::extent_2 : Rule::none);
      }
    }
  CHECK(tally.report() == "");
}

TEST_CASE("check_tensor_map bounds strides when each dimension of each rank sweeps its limits") {
  Tally tally;
  for (int rank = 1; rank <= 5; ++rank)
    for (int d = 0; d < rank; ++d) {
      const bool inner = d == rank - 1;  // dense: its stride is not looked at
      TensorMapRequest r = good(rank);
      const auto expect = [&](index_t stride, Rule rule) {
        r.stride[d] = stride;
        expect_rule(tally, r, inner ? Rule::none : rule, d, stride);
      };
      for (index_t n = 0; n <= 200; ++n) expect(n, n % 16 == 0 ? Rule::none : Rule::stride_16);
      for (index_t n = -40; n < 0; ++n) expect(n, Rule::stride_positive);
      expect(terabyte - 16, Rule::none);
      expect(terabyte - 8, Rule::stride_16);
      expect(terabyte, Rule::stride_most);
      expect(terabyte + 16, Rule::stride_most);
      if (rank < 3) continue;
      r.interleave = TensorInterleave::bytes_32;
      r.swizzle = TensorSwizzle::bytes_32;
      for (index_t n = 0; n <= 200; ++n)
        expect(n, n % 16 != 0 ? Rule::stride_16 : n % 32 != 0 ? Rule::stride_32 : Rule::none);
    }
  TensorMapRequest packed = good(2, TensorElement::u6_align16);
  packed.stride[0] = 48;
  expect_rule(tally, packed, Rule::stride_32, 0, 48);
  CHECK(tally.report() == "");
}

TEST_CASE("check_tensor_map bounds boxes when extents, elements and swizzles sweep") {
  Tally tally;
  const int spans[] = {0, 32, 64, 128, 128, 128, 128};
  for (int i = 0; i < 16; ++i)
    for (int swizzle = 0; swizzle < 7; ++swizzle)
      for (index_t n = -2; n <= 300; ++n) {
        TensorMapRequest r = good(2, elements[i]);
        r.swizzle = static_cast<TensorSwizzle>(swizzle);
        r.box[1] = n;
        const bool packed = i >= 14;
        const index_t row = n * bits[i] / 8;
        const bool allowed =
            !packed || swizzle == 0 || swizzle == 3 || swizzle == 4 || (i == 15 && swizzle == 6);
        if (n < 1 || n > 256)
          expect_rule(tally, r, Rule::box_range, 1, n);
        else if (packed && n != 128)
          expect_rule(tally, r, Rule::box_packed, 1, n);
        else if (row % 16 != 0)
          expect_rule(tally, r, Rule::box_row_16, -1, row);
        else if (!packed && swizzle != 0 && row > spans[swizzle])
          expect_rule(tally, r, Rule::swizzle_span, -1, row);
        else
          expect_rule(tally, r, allowed ? Rule::none : Rule::packed_swizzle, -1, swizzle);
      }
  for (int rank = 2; rank <= 5; ++rank)
    for (int d = 0; d + 1 < rank; ++d)
      for (index_t n = -2; n <= 300; ++n) {
        TensorMapRequest r = good(rank);
        r.box[d] = n;
        expect_rule(tally, r, n < 1 || n > 256 ? Rule::box_range : Rule::none, d, n);
      }
  CHECK(tally.report() == "");
}

TEST_CASE("check_tensor_map judges element strides, interleave and fill when they sweep") {
  Tally tally;
  for (int rank = 1; rank <= 5; ++rank)
    for (int d = 0; d < rank; ++d)
      for (index_t n = -2; n <= 12; ++n)
        for (const bool interleaved : {false, true}) {
          TensorMapRequest r = good(rank);
          if (interleaved) r.interleave = TensorInterleave::bytes_16;
          r.element_stride[d] = n;
          const bool ignored = d == rank - 1 && !interleaved;
          if (interleaved && rank < 3)
            expect_rule(tally, r, Rule::interleaved_rank, -1, rank);
          else
            expect_rule(tally, r,
                        ignored || (n >= 1 && n <= 8) ? Rule::none : Rule::element_stride_range, d,
                        n);
        }
  for (int swizzle = 0; swizzle < 7; ++swizzle) {
    TensorMapRequest r = good(3);
    r.interleave = TensorInterleave::bytes_32;
    r.swizzle = static_cast<TensorSwizzle>(swizzle);
    expect_rule(tally, r, swizzle == 1 ? Rule::none : Rule::interleave_swizzle, -1, swizzle);
    r.interleave = TensorInterleave::bytes_16;
    r.box[2] = 64;  // wider than any swizzle: no rule where the layout is interleaved
    expect_rule(tally, r, Rule::none, -1, 0);
  }
  TensorMapRequest six = good(3, TensorElement::u6_align16);
  six.interleave = TensorInterleave::bytes_16;
  expect_rule(tally, six, Rule::packed_interleave, -1, 1);
  for (int i = 0; i < 16; ++i) {
    TensorMapRequest r = good(2, elements[i]);
    r.fill = TensorFill::nan;
    expect_rule(tally, r, floating[i] ? Rule::none : Rule::fill_nan, -1, i);
  }
  CHECK(tally.report() == "");
}

TEST_CASE("Sentences name dimension and value when a rule is broken") {
  std::set<std::string> sentences;
  int rules = 0;
#define TILEPIPE_TEST_RULE(name, text)                                                \
  sentences.insert(host::sentence({TensorRule::name, 1, 44}, 3));                     \
  CHECK(host::sentence({TensorRule::name, 1, 44}, 3).find('%') == std::string::npos); \
  ++rules;
  TILEPIPE_TENSOR_RULES(TILEPIPE_TEST_RULE)
  CHECK(rules == 24);
  CHECK(static_cast<int>(sentences.size()) == rules);
  CHECK(host::sentence({}, 3).empty());
  CHECK(host::sentence({Rule::stride_16, 1, 44}, 3) == "row stride 44 B is not a multiple of 16");
  CHECK(host::sentence({Rule::stride_16, 0, 44}, 3) == "slice stride 44 B is not a multiple of 16");
  CHECK(host::sentence({Rule::stride_most, 0, terabyte}, 5) ==
        "dimension 0 stride 1099511627776 B is not less than 1099511627776");
  CHECK(host::sentence({Rule::address_16, -1, 0x1008}, 2) ==
        "address 0x1008 is not a multiple of 16");
  CHECK(host::sentence({Rule::extent_positive, 1, 0}, 2) == "extent 1 is 0; it must be 1 or more");
  CHECK(host::sentence({Rule::box_range, 0, 257}, 2) == "box extent 0 is 257, outside 1..256");
}

TEST_CASE("tensor_bytes and is_dense agree with visiting every element when shapes sweep") {
  Tally tally;
  for (const TensorElement element : {TensorElement::uint8, TensorElement::uint64})
    for (index_t slices = 1; slices <= 3; ++slices)
      for (index_t rows = 1; rows <= 3; ++rows)
        for (index_t cols : {1, 2, 16, 17})
          for (index_t row : {16, 32, 48, 128, 136})
            for (index_t slice : {16, 32, 96, 144, 384}) {
              const index_t size = element == TensorElement::uint8 ? 1 : 8;
              TensorMapRequest r = good(3, element);
              const index_t extent[] = {slices, rows, cols}, stride[] = {slice, row, 0};
              for (int d = 0; d < 3; ++d) r.extent[d] = extent[d], r.stride[d] = stride[d];
              std::set<index_t> bytes;
              bool overlap = false, in_order = true;
              index_t next = 0;
              for (index_t s = 0; s < slices; ++s)
                for (index_t y = 0; y < rows; ++y)
                  for (index_t x = 0; x < cols; ++x) {
                    const index_t at = s * slice + y * row + x * size;
                    overlap = !bytes.insert(at).second || overlap;
                    in_order = in_order && at == next;
                    next = at + size;
                  }
              tally.expect(host::tensor_bytes(r) == *bytes.rbegin() + size, "bytes",
                           {slices, rows, cols, row, slice});
              tally.expect(host::is_dense(r) == (in_order && !overlap), "dense",
                           {slices, rows, cols, row, slice});
            }
  CHECK(tally.report() == "");
}

TEST_CASE("tensor_map_request turns elements into the map's when a tile and a view are given") {
  alignas(128) static const unsigned char memory[128] = {};
  struct Three {
    unsigned char bytes[3];
  };
  const auto* bytes = reinterpret_cast<const Three*>(memory);
  const TensorMapRequest r =
      host::tensor_map_request<Tile<Three, 4, 16>>(Source<Three, 2>::pitched(bytes, 100, 33, 48));
  CHECK(r.address == reinterpret_cast<std::uintptr_t>(memory));
  CHECK(r.element == TensorElement::uint8);
  CHECK(r.rank == 2);
  CHECK((r.extent[0] == 100 && r.extent[1] == 99));  // three elements of the map each
  CHECK(r.stride[0] == 144);
  CHECK((r.box[0] == 4 && r.box[1] == 48));
  CHECK(r.swizzle == TensorSwizzle::none);

  const auto* shorts = reinterpret_cast<const short*>(memory);
  using Wide = SwizzledTile<short, 8, 128>;
  const TensorMapRequest w =
      host::tensor_map_request<Wide>(Source<short, 2>::pitched(shorts, 1, 64, 3));
  CHECK(w.element == TensorElement::uint16);
  CHECK(w.swizzle == TensorSwizzle::bytes_128);
  CHECK((w.box[0] == 8 && w.box[1] == 64));
  CHECK(w.stride[0] == 16);  // one row alone: its pitch of 6 B is never used
  CHECK(check_tensor_map(w).rule == Rule::none);
}

TEST_CASE("a map's element is the tile's where that is added as a float, and else a number") {
  CHECK(host::map_element<float>(4) == TensorElement::float32);
  CHECK(host::map_element<double>(8) == TensorElement::float64);
  CHECK(host::map_element<__half>(2) == TensorElement::float16);
  CHECK(host::map_element<__nv_bfloat16>(2) == TensorElement::bfloat16);
  CHECK(host::map_element<int>(4) == TensorElement::uint32);
  CHECK(host::map_element<long long>(8) == TensorElement::uint64);
  CHECK(host::map_element<short>(2) == TensorElement::uint16);
  struct Three {
    unsigned char bytes[3];
  };
  CHECK(host::map_element<Three>(1) == TensorElement::uint8);
}

TEST_CASE("why_no_tensor_map says tile or rule when a source goes by its view") {
  alignas(128) static const float memory[64] = {};
  using Line = Tile<float, 64>;
  using Matrix = Tile<float, 8, 16>;
  const auto why = [](index_t rows, index_t cols, index_t pitch) {
    return host::why_no_tensor_map<Matrix>(Source<float, 2>::pitched(memory, rows, cols, pitch));
  };
  CHECK(why(10, 10, 12).empty());
  CHECK(why(10, 10, 11) == "row stride 44 B is not a multiple of 16");
  CHECK(why(0, 10, 11).empty());
  CHECK(why(10, 0, 11).empty());
  CHECK(why(10, -3, 12) == "extent 1 is -3; it must be 1 or more");
  CHECK(host::why_no_tensor_map<Line>(Source<float, 1>::dense(memory, unbounded)) ==
        "extent 0 is unbounded, and a map has bounds");
  CHECK(host::why_no_tensor_map<Line>(Source<float, 1>::dense(memory + 1, 9)).find("address 0x") ==
        0);
  CHECK(host::why_no_tensor_map<Line>(Source<float, 1>::dense(nullptr, 9)) == "address is null");
  CHECK(host::why_no_tensor_map<PaddedTile<16, float, 8, 16>>(Source<float, 2>::pitched(
            memory, 10, 10, 12)) == "the plain view: tensor copies write rows without gaps");
  CHECK_NOTHROW(host::check_tensor_view<Matrix>(Source<float, 2>::pitched(memory, 9, 9, 12)));
  CHECK_NOTHROW(host::check_tensor_view<Matrix>(Source<float, 2>::pitched(nullptr, 0, 9, 11)));
  std::string thrown;
  try {
    host::check_tensor_view<Matrix>(Source<float, 2>::pitched(memory, 9, 9, 11));
  } catch (const host::Error& error) {
    thrown = error.what();
  }
  CHECK(thrown ==
        "tilepipe::host::tensor_source: row stride 44 B is not a multiple of 16; change the "
        "source, or pass a string for the reason and load by the plain view");
}
