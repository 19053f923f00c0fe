// SPDX-License-Identifier: Apache-2.0
// Tests of the host's checks before launch: around every limit, with the whole sentence.
#include <string>
#include <tilepipe/core/loader_traits.hpp>
#include <tilepipe/host/check.hpp>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;

template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const host::Error& error) {
    return error.what();
  }
  return "";
}
const float* at(unsigned long long address) { return reinterpret_cast<const float*>(address); }

using Flat = LoaderTraits<Tile<float, 1024>>;
using FlatZero = LoaderTraits<Tile<float, 1024>, ZeroFill>;
using Rows = LoaderTraits<Tile<float, 8, 32>>;
using Rows4 = LoaderTraits<Tile<float, 8, 32>, ZeroFill, Aligned<4>>;
using RowsAny = LoaderTraits<Tile<float, 8, 32>, Skip, AnyAlignment>;
using RowsPacked = LoaderTraits<Tile<float, 8, 32>, Packed>;
using Boxes = LoaderTraits<Tile<float, 2, 8, 32>>;
using Pixels = LoaderTraits<Tile<unsigned char, 4, 6>>;  // rows of 6 bytes promise 2

const std::string prefix = "tilepipe::host::check_source: ";

}  // namespace

TEST_CASE("check_source names value and rule when the base breaks the promise") {
  CHECK(message([] { host::check_source<Flat>(Source<float, 1>::dense(at(0x1008), 5000)); }) ==
        prefix +
            "base address 0x1008 is not a multiple of 16 B, which TileLoader<Tile> promises; say "
            "Aligned<8> "
            "or AnyAlignment");
  CHECK(
      message([] { host::check_source<Flat>(Source<float, 1>::dense(at(0x1010), 5000)); }).empty());
}

TEST_CASE("check_source names value and rule when a pitch breaks the promise") {
  CHECK(message([] { host::check_source<Rows>(Source<float, 2>::pitched(at(4096), 9, 9, 11)); }) ==
        prefix +
            "row pitch 44 B is not a multiple of 16 B, which TileLoader<Tile> promises; say "
            "Aligned<4> or "
            "AnyAlignment");
  CHECK(message([] {
          host::check_source<Boxes>(Source<float, 3>::pitched(at(4096), 3, 9, 9, 12, 110));
        }) == prefix +
                  "slice pitch 440 B is not a multiple of 16 B, which TileLoader<Tile> promises; "
                  "say Aligned<8> or "
                  "AnyAlignment");
  CHECK(message([] {
          host::check_source<Boxes>(Source<float, 3>::pitched(at(4096), 3, 9, 9, 12, 112));
        }).empty());
  // A pitch that is never used: one row alone.
  CHECK(message([] {
          host::check_source<Rows>(Source<float, 2>::pitched(at(4096), 1, 9, 11));
        }).empty());
  CHECK(message([] {
          host::check_source<Rows4>(Source<float, 2>::pitched(at(4096), 9, 9, 11));
        }).empty());
  CHECK(message([] {
          host::check_source<RowsAny>(Source<float, 2>::pitched(at(4097), 9, 9, 11));
        }).empty());
}

TEST_CASE("check_source refuses exactly what is no multiple when base and pitch sweep") {
  Tally tally;
  for (unsigned base = 0; base < 64; ++base)
    for (int pitch = 0; pitch <= 40; ++pitch) {
      const auto refuses = [&](auto loader) {
        using Loader = decltype(loader);
        const auto* data = reinterpret_cast<const typename Loader::T*>(4096ull + base);
        return !message([&] {
                  host::check_source<Loader>(
                      Source<typename Loader::T, 2>::pitched(data, 9, 9, pitch));
                }).empty();
      };
      tally.expect(refuses(Rows{}) == (base % 16 != 0 || pitch % 4 != 0), "16 B", {base, pitch});
      tally.expect(refuses(Rows4{}) == (base % 4 != 0), "4 B", {base, pitch});
      tally.expect(!refuses(RowsAny{}), "any", {base, pitch});
      tally.expect(refuses(Pixels{}) == (base % 2 != 0 || pitch % 2 != 0), "2 B", {base, pitch});
      tally.expect(refuses(RowsPacked{}) == (base % 16 != 0 || pitch != 32), "packed",
                   {base, pitch});
      int widest = 16;
      while ((base | static_cast<unsigned>(pitch)) % widest != 0) widest /= 2;
      const auto* bytes = reinterpret_cast<const unsigned char*>(4096ull + base);
      tally.expect(host::alignment_of(bytes, pitch) == widest, "alignment_of(pointer, pitch)",
                   {base, pitch});
      tally.expect(
          host::alignment_of(Source<unsigned char, 2>::pitched(bytes, 9, 9, pitch)) == widest,
          "alignment_of(source)", {base, pitch});
      int base_alone = 16;
      while (base % base_alone != 0) base_alone /= 2;
      tally.expect(host::alignment_of(bytes) == base_alone, "alignment_of(pointer)", {base});
    }
  CHECK(tally.report() == "");
  CHECK(host::alignment_of(at(4096), 11ll) == 4);
  CHECK(host::alignment_of(at(4096), 6, 12) == 8);
  CHECK(host::alignment_of(at(4096), -4) == 16);
  CHECK(host::alignment_of(at(4096), -3) == 4);
}

TEST_CASE("check_source refuses a null source when there is something to load") {
  const std::string sentence =
      prefix + "source is null, and there are elements to load; give a pointer, or an extent of 0";
  CHECK(message([] { host::check_source<Flat>(Source<float, 1>::dense(nullptr, 1)); }) == sentence);
  CHECK(message([] { host::check_source<Flat>(Source<float, 1>::dense(nullptr, unbounded)); }) ==
        sentence);
  CHECK(message([] { host::check_source<Rows>(Source<float, 2>::pitched(nullptr, 1, 1, 32)); }) ==
        sentence);
  CHECK(message([] { host::check_source<Flat>(Source<float, 1>::dense(nullptr, 0)); }).empty());
  CHECK(message([] { host::check_source<Flat>(Source<float, 1>::dense(nullptr, 5), 0); }).empty());
  CHECK(message([] { host::check_source<Flat>(Source<float, 1>::dense(at(4096), 5), -1); }) ==
        prefix + "number of tiles -1 is negative; it must be 0 or more");
}

TEST_CASE("check_source refuses negative extents, and no bounds, when they matter") {
  CHECK(message([] { host::check_source<Flat>(Source<float, 1>::dense(at(4096), -2)); }) ==
        prefix + "extent 0 is -2; extents must be 0 or more, or tilepipe::unbounded");
  CHECK(message([] { host::check_source<Rows>(Source<float, 2>::pitched(at(4096), 3, -7, 32)); }) ==
        prefix + "extent 1 is -7; extents must be 0 or more, or tilepipe::unbounded");
  // An extent of zero hides no negative one behind it.
  CHECK_FALSE(message([] {
                host::check_source<Rows>(Source<float, 2>::pitched(at(4096), 0, -7, 32));
              }).empty());
  CHECK(message([] {
          host::check_source<Flat>(Source<float, 1>::dense(at(4096), unbounded));
        }).empty());
  CHECK(message([] {
          host::check_source<FlatZero>(Source<float, 1>::dense(at(4096), unbounded));
        }) == prefix +
                  "extent 0 is unbounded, and TileLoader<Tile, ZeroFill> needs bounds; give the "
                  "number of elements, "
                  "or say Exact");
  for (const index_t rows : {0, 1, 5})
    for (const index_t cols : {0, 1, 5}) {
      const bool empty = rows == 0 || cols == 0;
      CHECK(message([&] {
              host::check_source<Rows>(Source<float, 2>::pitched(at(4097), rows, cols, 33));
            }).empty() == empty);
    }
}

TEST_CASE("check_source refuses strides that no loader has when a Source is made by hand") {
  const Source<float, 2> transposed{at(4096), {8, 8}, {1, 8}};
  CHECK(message([&] { host::check_source<Rows>(transposed); }) ==
        prefix +
            "stride of the last dimension is 8; its elements must follow each other, stride 1");
  const Source<float, 2> flipped{at(4096), {8, 8}, {-32, 1}};
  CHECK(message([&] { host::check_source<Rows>(flipped); }).empty());
  const Source<float, 2> wild{at(4096), {8, 8}, {9223372036854775807ll, 1}};
  CHECK_FALSE(message([&] { host::check_source<Rows>(wild); }).empty());
  CHECK(message([] {
          host::check_source<RowsPacked>(Source<float, 2>::pitched(at(4096), 9, 9, 48));
        }) == prefix +
                  "row pitch 192 B is not the tile's row length of 128 B, which TileLoader<Tile, "
                  "Packed> promises; "
                  "leave Packed out");
  using BoxPacked = LoaderTraits<Tile<float, 2, 4, 8>, Packed>;
  CHECK(message([] {
          host::check_source<BoxPacked>(Source<float, 3>::pitched(at(4096), 6, 4, 8, 8, 32));
        }).empty());
  CHECK(message([] {
          host::check_source<BoxPacked>(Source<float, 3>::pitched(at(4096), 6, 5, 8, 8, 40));
        }) == prefix +
                  "slice pitch 160 B is not the tile's slice of 128 B, which TileLoader<Tile, "
                  "Packed> promises; leave Packed out");
  CHECK(message([] {
          host::check_source<BoxPacked>(Source<float, 3>::pitched(at(4096), 0, 5, 8, 8, 40));
        }).empty());
  using SlicePacked = LoaderTraits<Tile<float, 1, 4, 8>, Packed>;
  CHECK(message([] {
          host::check_source<SlicePacked>(Source<float, 3>::pitched(at(4096), 6, 5, 8, 8, 40));
        }).empty());
}

TEST_CASE("check_rows names the first index that names no row, of any integer type") {
  using Edged = LoaderTraits<Tile<float, 8, 32>, Gathered, ZeroFill>;
  using Whole = LoaderTraits<Tile<float, 8, 32>, Gathered>;
  const std::string begin = "tilepipe::host::check_rows: index ";
  const int duplicates[] = {3, 0, 3, -1, 4};
  CHECK(message([&] { host::check_rows<Edged>(duplicates, 5, 5); }).empty());
  CHECK(message([&] { host::check_rows<Edged>(duplicates, 5, 4); }) ==
        begin +
            "4 of 5 is 4, and the source has 4 rows; name one of them, or tilepipe::absent_row");
  CHECK(message([&] { host::check_rows<Edged>(duplicates, 4, 4); }).empty());
  CHECK(message([&] { host::check_rows<Whole>(duplicates, 5, 5); }) ==
        begin +
            "3 of 5 is absent_row, and TileLoader<Tile, Gathered> is Exact; say ZeroFill or Skip");
  CHECK(message([&] { host::check_rows<Whole>(duplicates, 3, 3); }) ==
        begin + "0 of 3 is 3, and the source has 3 rows; name one of them");
  const long long wide[] = {1ll << 40, -2};
  CHECK(message([&] { host::check_rows<Edged>(wide, 1, (1ll << 40) + 1); }).empty());
  CHECK(message([&] { host::check_rows<Edged>(wide, 2, (1ll << 40) + 1); }) ==
        begin +
            "1 of 2 is -2, and the source has 1099511627777 rows; name one of them, or "
            "tilepipe::absent_row");
  const unsigned none[] = {0xffffffffu};
  CHECK(message([&] { host::check_rows<Edged>(none, 1, 7); }) ==
        begin +
            "0 of 1 is 4294967295, and the source has 7 rows; name one of them, or "
            "tilepipe::absent_row");
  CHECK(message([&] { host::check_rows<Edged>(none, 0, 0); }).empty());
}

TEST_CASE("check_block refuses sizes when the team does not fit them") {
  Tally tally;
  using host::check_block;
  for (int threads = -1; threads <= 1100; ++threads) {
    const bool possible = threads >= 1 && threads <= 1024;
    const auto fits = [&](TeamKind kind, int loading, int computing) {
      return message([&] { check_block(kind, loading, computing, threads); }).empty();
    };
    tally.expect(fits(TeamKind::block, 0, 0) == possible, "Block<>", {threads});
    tally.expect(fits(TeamKind::block, 96, 96) == (threads == 96), "Block<96>", {threads});
    tally.expect(fits(TeamKind::thread, 1, 1) == possible, "Thread", {threads});
    tally.expect(fits(TeamKind::group, 16, 16) == possible, "GroupTeam", {threads});
    tally.expect(fits(TeamKind::warp, 32, 32) == (possible && threads % 32 == 0), "Warp",
                 {threads});
    tally.expect(fits(TeamKind::specialized, 32, 256) == (threads == 288), "Specialized",
                 {threads});
  }
  CHECK(tally.report() == "");
  const std::string block = "tilepipe::host::check_block: block of ";
  CHECK(message([] { check_block(TeamKind::warp, 32, 32, 48); }) ==
        block +
            "48 threads is not a multiple of 32, which the team Warp needs: its last warp would be "
            "partial");
  CHECK(message([] { check_block(TeamKind::specialized, 32, 256, 256); }) ==
        block +
            "256 threads is not the 288 threads of Specialized<32, 256>; launch with Producers + "
            "Consumers threads");
  CHECK(
      message([] { check_block(TeamKind::block, 128, 128, 256); }) ==
      block +
          "256 threads is not the 128 threads of Block<128>; launch with as many, or use Block<>");
  CHECK(message([] { check_block(TeamKind::block, 0, 0, 1025); }) ==
        block + "1025 threads is outside 1..1024; choose another size");
}

TEST_CASE("check_shared_bytes names bytes asked and available when they are too many") {
  using host::check_shared_bytes;
  CHECK(message([] { check_shared_bytes(100 * 1024, 4096, 101376); }) ==
        "tilepipe::host::prepare: a block asks for 106496 B of shared memory (102400 dynamic, 4096 "
        "static), and 101376 "
        "B are available; use fewer stages or smaller tiles");
  CHECK(message([] { check_shared_bytes(101376 - 16, 16, 101376); }).empty());
  CHECK_FALSE(message([] { check_shared_bytes(101376 - 15, 16, 101376); }).empty());
  CHECK(message([] { check_shared_bytes(-1, 0, 101376); }) ==
        "tilepipe::host::prepare: -1 B of dynamic shared memory are negative; ask for 0 or more");
}
