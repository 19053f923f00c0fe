// SPDX-License-Identifier: Apache-2.0
// Tests of the bank counts: against a count by sets written here, and against known patterns.
#include <map>
#include <set>
#include <tilepipe/core/banks.hpp>
#include <tilepipe/core/tile.hpp>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using tilepipe::BankCount;
using tilepipe::no_access;
using tilepipe::PaddedTile;
using tilepipe::SwizzledTile;
using tilepipe::Tile;
using tilepipe::WarpAccess;
using tilepipe_test::Tally;

// The brute force: for every phase, the set of words that each bank has to give.
BankCount reference(const WarpAccess& access) {
  const int phases = access.width == 16 ? 4 : access.width == 8 ? 2 : 1;
  BankCount sum;
  for (int phase = 0; phase < phases; ++phase) {
    std::map<int, std::set<int>> wanted;
    for (int lane = 0; lane < 32; ++lane) {
      if (lane * phases / 32 != phase || access.offset[lane] < 0) continue;
      for (int b = 0; b < access.width; ++b) {
        const int byte = access.offset[lane] + b;
        wanted[byte / 4 % 32].insert(byte / 4);
      }
    }
    int most = 0;
    for (const auto& bank : wanted) most = std::max(most, static_cast<int>(bank.second.size()));
    sum.wavefronts += most;
    sum.ideal += most > 0 ? 1 : 0;
    sum.ways = std::max(sum.ways, most);
  }
  return sum;
}

bool same(BankCount a, BankCount b) {
  return a.wavefronts == b.wavefronts && a.ideal == b.ideal && a.ways == b.ways;
}

// Where the tile's element lies, by the tile itself: the count is under test, not the layout.
template <class T>
WarpAccess access_of(int width, int lanes, int row, int byte, int row_step, int byte_step) {
  WarpAccess access{width, {}};
  for (int lane = 0; lane < 32; ++lane) {
    const int r = row + lane * row_step;
    const int b = byte + lane * byte_step;
    const bool inside = lane < lanes && r < T::rows && b + width <= T::row_bytes;
    constexpr int size = sizeof(typename T::value_type);
    access.offset[lane] = inside ? T::byte_offset(r, b / size) + b % size : no_access;
  }
  return access;
}

template <class T>
void check_tile(Tally& tally) {
  constexpr int size = sizeof(typename T::value_type);
  for (int row = 0; row < T::rows; ++row)
    for (int col = 0; col < T::cols; ++col) {
      tally.expect(same(tilepipe::row_banks<T>(row, col),
                        reference(access_of<T>(size, 32, row, col * size, 0, size))),
                   "row_banks", {row, col});
      tally.expect(same(tilepipe::column_banks<T>(row, col),
                        reference(access_of<T>(size, 32, row, col * size, 1, 0))),
                   "column_banks", {row, col});
      if (row + 8 <= T::rows && col % (16 / size) == 0)
        tally.expect(same(tilepipe::ldmatrix_banks<T>(row, col),
                          reference(access_of<T>(16, 8, row, col * size, 1, 0))),
                     "ldmatrix_banks", {row, col});
    }
}

template <class T, int Width>
void check_copy(Tally& tally) {
  for (const int threads : {1, 31, 32, 48, 64, 128, 256}) {
    BankCount total;
    const int chunks = T::rows * T::row_bytes / Width;
    for (int first = 0; first < chunks; first += threads)
      for (int warp = 0; warp * 32 < threads; ++warp) {
        WarpAccess access{Width, {}};
        for (int lane = 0; lane < 32; ++lane) {
          const int byte = (first + warp * 32 + lane) * Width;
          const bool has = warp * 32 + lane < threads && byte < T::rows * T::row_bytes;
          constexpr int size = sizeof(typename T::value_type);
          access.offset[lane] =
              has ? T::byte_offset(byte / T::row_bytes, byte % T::row_bytes / size) + byte % size
                  : no_access;
        }
        const BankCount step = reference(access);
        tally.expect(same(tilepipe::copy_banks<T, Width>(threads, warp, first / threads), step),
                     "copy_banks", {Width, threads, warp, first});
        total.add(step);
      }
    tally.expect(same(tilepipe::copy_banks<T, Width>(threads), total), "copy", {Width, threads});
  }
}

}  // namespace

TEST_CASE("count_banks agrees with sets when accesses are random, strided or partial") {
  Tally tally;
  unsigned state = 1;
  const auto next = [&](unsigned limit) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 8) % limit);
  };
  for (const int width : {1, 2, 4, 8, 16})
    for (int trial = 0; trial < 2000; ++trial) {
      WarpAccess access{width, {}};
      const int stride = next(70);
      for (int lane = 0; lane < 32; ++lane) {
        const int place = trial % 2 == 0 ? next(trial % 3 == 0 ? 24 : 2000) : lane * stride;
        access.offset[lane] = next(8) == 0 ? no_access : place * width;
      }
      tally.expect(same(tilepipe::count_banks(access), reference(access)), "access",
                   {width, trial});
    }
  CHECK(tally.report() == "");
  CHECK(tally.checks() == 10000);
}

TEST_CASE("count_banks knows the textbook patterns when lanes stride") {
  const auto strided = [](int width, int stride) {
    WarpAccess access{width, {}};
    for (int lane = 0; lane < 32; ++lane) access.offset[lane] = lane * stride;
    return tilepipe::count_banks(access);
  };
  CHECK(same(strided(4, 4), {1, 1, 1}));
  CHECK(same(strided(4, 0), {1, 1, 1}));  // one word for all
  CHECK(same(strided(1, 1), {1, 1, 1}));  // four lanes a word
  CHECK(same(strided(4, 8), {2, 1, 2}));
  CHECK(same(strided(4, 128), {32, 1, 32}));  // one bank for all
  CHECK(same(strided(4, 132), {1, 1, 1}));    // padded by one word
  CHECK(same(strided(8, 8), {2, 2, 1}));
  CHECK(same(strided(16, 16), {4, 4, 1}));
  CHECK(same(strided(16, 128), {32, 4, 8}));
  WarpAccess none{4, {}};
  for (int& offset : none.offset) offset = no_access;
  CHECK(same(tilepipe::count_banks(none), {0, 0, 0}));
}

TEST_CASE("Tile accesses agree with sets when layouts, elements and widths differ") {
  Tally tally;
  check_tile<Tile<float, 33, 32>>(tally);
  check_tile<Tile<short, 16, 64>>(tally);
  check_tile<Tile<unsigned char, 8, 48>>(tally);
  check_tile<Tile<double, 16, 16>>(tally);
  check_tile<PaddedTile<4, float, 32, 32>>(tally);
  check_tile<PaddedTile<16, short, 16, 32>>(tally);
  check_tile<SwizzledTile<short, 40, 64>>(tally);
  check_tile<SwizzledTile<short, 16, 32>>(tally);
  check_tile<SwizzledTile<short, 16, 16>>(tally);
  check_tile<SwizzledTile<float, 16, 64>>(tally);  // two panels
  check_copy<Tile<short, 16, 32>, 16>(tally);
  check_copy<Tile<float, 7, 12>, 8>(tally);
  check_copy<PaddedTile<4, float, 9, 20>, 4>(tally);
  check_copy<SwizzledTile<short, 16, 64>, 16>(tally);
  check_copy<SwizzledTile<short, 16, 64>, 2>(tally);
  CHECK(tally.report() == "");
}

TEST_CASE("ldmatrix is free of conflicts when the tile is swizzled or padded, and not else") {
  // 64-byte rows: two rows of a plain tile share all banks with the next two.
  CHECK(tilepipe::ldmatrix_banks<Tile<short, 128, 32>>().ways == 4);
  CHECK(tilepipe::ldmatrix_banks<Tile<short, 128, 64>>().ways == 8);
  CHECK(tilepipe::ldmatrix_banks<PaddedTile<16, short, 128, 32>>().ways == 1);
  constexpr BankCount swizzled = tilepipe::ldmatrix_banks<SwizzledTile<short, 128, 32>>();
  STATIC_REQUIRE(swizzled.ways == 1);
  CHECK(swizzled.wavefronts == 128 / 8 * 4);
  CHECK(tilepipe::ldmatrix_banks<SwizzledTile<short, 128, 64>>().ways == 1);
  CHECK(tilepipe::ldmatrix_banks<SwizzledTile<short, 128, 128>>().ways == 1);
  CHECK(tilepipe::ldmatrix_banks<SwizzledTile<short, 128, 16>>().ways == 1);
  // Copies of 16-byte chunks into a swizzled tile write without conflicts as well.
  CHECK(tilepipe::copy_banks<SwizzledTile<short, 128, 32>, 16>(256).ways == 1);
  CHECK(tilepipe::copy_banks<SwizzledTile<short, 128, 64>, 16>(256).ways == 1);
}
