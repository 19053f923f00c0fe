// SPDX-License-Identifier: Apache-2.0
// Tests of how tiles are stored: against tables written by hand, over architecture, option, row
// length, alignment and layout.
#include <set>
#include <string>
#include <tilepipe/core/ring.hpp>
#include <tilepipe/core/store_path.hpp>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;

constexpr int archs[] = {70, 75, 80, 86, 89, 90, 100, 120};

// Rows, bytes of a row, layout, promise; then whether bulk stores can go, and whether the library
// chooses them, for tiles whose rows lie apart and for Packed ones.
struct StoreRow {
  TileShape shape;
  int alignment;
  bool any;
  bool can;
  bool chosen;
  bool chosen_packed;
};
constexpr StoreRow table[] = {
    // one row
    {{1, 16, 16, true, true}, 0, false, true, true, true},
    {{1, 4096, 16, true, true}, 0, false, true, true, true},
    {{1, 4096, 16, true, true}, 8, false, false, false, false},
    {{1, 4096, 16, true, true}, 0, true, false, false, false},
    {{1, 4088, 16, true, true}, 0, false, false, false, false},
    {{1, 37, 16, true, true}, 0, false, false, false, false},
    // several rows
    {{8, 64, 16, true, true}, 0, false, true, false, true},
    {{8, 2032, 16, true, true}, 0, false, true, false, true},
    {{8, 2048, 16, true, true}, 0, false, true, true, true},
    {{8, 2048, 16, true, true}, 4, false, false, false, false},
    {{8, 2056, 16, true, true}, 0, false, false, false, false},
    // padded: rows apart in shared memory
    {{8, 2048, 16, true, false}, 0, false, true, true, true},
    {{8, 64, 16, true, false}, 0, false, true, false, false},
    {{8, 2048, 8, true, false}, 0, false, false, false, false},
    // swizzled
    {{8, 2048, 16, false, false}, 0, false, false, false, false},
};

}  // namespace

TEST_CASE("Stores are in bulk where the table says, and plain elsewhere, with the reason") {
  Tally tally;
  std::set<std::string> reasons;
  for (const int arch : archs)
    for (const StoreRow& row : table)
      for (const Edge edge : {Edge::exact, Edge::skip})
        for (const bool packed : {false, true}) {
          LoaderConfig c;
          c.edge = edge;
          c.alignment = row.alignment;
          c.any_alignment = row.any;
          c.packed = packed;
          const Choice choice = choose_store(arch, row.shape, c, Addend::none);
          const bool bulk =
              arch >= 90 && (packed && edge == Edge::exact ? row.chosen_packed : row.chosen);
          const bool one_run =
              row.shape.gapless && (row.shape.rows == 1 || (packed && edge == Edge::exact));
          const int width = !bulk     ? promised_alignment(row.shape, c)
                            : one_run ? row.shape.rows * row.shape.row_bytes
                                      : row.shape.row_bytes;
          tally.expect(choice.path == (bulk ? Path::bulk : Path::registers), "path",
                       {arch, row.shape.rows, row.shape.row_bytes, row.alignment, packed});
          tally.expect(choice.width == width, "width",
                       {arch, row.shape.rows, row.shape.row_bytes, row.alignment, packed});
          reasons.insert(choice.reason);
          const StoreRefusal refusal = refuse_store(arch, Path::bulk, row.shape, c, Addend::none);
          tally.expect((refusal == StoreRefusal::none) == (arch >= 90 && row.can), "bulk allowed",
                       {arch, row.shape.rows, row.shape.row_bytes, row.alignment});
          tally.expect(
              refuse_store(arch, Path::registers, row.shape, c, Addend::none) == StoreRefusal::none,
              "plain allowed", {arch});
          c.demanded = Path::registers;
          tally.expect(choose_store(arch, row.shape, c, Addend::none).path == Path::registers,
                       "demanded");
          c.demanded = Path::bulk;
          tally.expect(choose_store(arch, row.shape, c, Addend::none).path == Path::bulk,
                       "demanded");
        }
  CHECK(tally.report() == std::string());
  CHECK(reasons.size() == 6);
}

TEST_CASE("Each refusal of a store has its cause and its sentence") {
  const TileShape line{1, 4096, 16, true, true}, swizzled{8, 128, 16, false, false};
  const auto refused = [&](int arch, Path p, TileShape s, LoaderConfig c, Addend a = Addend::none) {
    return refuse_store(arch, p, s, c, a);
  };
  LoaderConfig plain;
  CHECK(refused(90, Path::cp_async, line, plain) == StoreRefusal::store_cp_async);
  CHECK(refused(90, Path::libcudacxx, line, plain) == StoreRefusal::store_libcudacxx);
  CHECK(refused(89, Path::tensor, line, plain) == StoreRefusal::store_tensor_needs_sm90);
  CHECK(refused(90, Path::tensor, line, plain) == StoreRefusal::store_tensor_needs_map);
  const LoaderConfig mapped = configure<Mapped>();
  CHECK(refused(90, Path::tensor, line, mapped) == StoreRefusal::none);
  CHECK(refused(90, Path::tensor, swizzled, mapped) == StoreRefusal::none);
  const LoaderConfig adds_mapped = configure<Mapped, ReduceAdd>();
  CHECK(refused(90, Path::tensor, line, adds_mapped, Addend::f64) ==
        StoreRefusal::store_tensor_add);
  CHECK(refused(90, Path::tensor, line, adds_mapped) == StoreRefusal::store_add_type);
  for (const Addend a : {Addend::u32, Addend::u64, Addend::f16, Addend::bf16, Addend::f32})
    CHECK(refused(90, Path::tensor, line, adds_mapped, a) == StoreRefusal::none);
  TileShape broken = line;
  broken.row_bytes = 4088;  // no multiple of 16
  CHECK(refused(90, Path::tensor, broken, mapped) == StoreRefusal::store_tensor_tile);
  broken = line;
  broken.gapless = false;
  CHECK(refused(90, Path::tensor, broken, mapped) == StoreRefusal::store_tensor_tile);
  broken = line;
  broken.boxes_fit = false;
  CHECK(refused(90, Path::tensor, broken, mapped) == StoreRefusal::store_tensor_tile);
  CHECK(refused(89, Path::bulk, line, plain) == StoreRefusal::store_bulk_needs_sm90);
  CHECK(refused(90, Path::bulk, swizzled, plain) == StoreRefusal::store_bulk_swizzle);
  LoaderConfig narrow;
  narrow.alignment = 8;
  CHECK(refused(90, Path::bulk, line, narrow) == StoreRefusal::store_bulk_needs_sixteen_bytes);
  LoaderConfig adds;
  adds.add = true;
  CHECK(refused(90, Path::bulk, line, adds) == StoreRefusal::store_add_type);
  CHECK(refused(75, Path::registers, line, adds) == StoreRefusal::store_add_type);
  for (const Addend a :
       {Addend::u32, Addend::u64, Addend::f16, Addend::bf16, Addend::f32, Addend::f64})
    CHECK(refused(90, Path::bulk, line, adds, a) == StoreRefusal::none);
  for (const LoaderConfig& c : {configure<ZeroFill>(), configure<Gathered>(), configure<CacheAll>(),
                                configure<CacheGlobal>(), configure<L2Prefetch<64>>()})
    for (const Path p : {Path::registers, Path::bulk})
      CHECK(refused(90, p, line, c) == StoreRefusal::store_option_of_loads);

  std::set<std::string> sentences;
#define TILEPIPE_TEST_SENTENCE(name, text)                         \
  CHECK(std::string(sentence(StoreRefusal::name)) == text);        \
  CHECK(sentences.insert(text).second);                            \
  CHECK(std::string(text).rfind("tilepipe::TileStorer<", 0) == 0); \
  CHECK(std::string(text).find("; ") != std::string::npos);
  TILEPIPE_STORE_REFUSALS(TILEPIPE_TEST_SENTENCE)
  CHECK(sentences.size() == 11);
  CHECK(std::string(sentence(StoreRefusal::none)).empty());
}

TEST_CASE("A storer's traits answer for any architecture") {
  using Line = Tile<float, 1024>;
  using Plain = StorerTraits<Line>;
  CHECK(Plain::choice(90).path == Path::bulk);
  CHECK(Plain::choice(90).width == 4096);
  CHECK(Plain::choice(80).path == Path::registers);
  CHECK(Plain::choice(80).width == 16);
  CHECK(Plain::path == Path::registers);  // this code is of no architecture
  using Adding = StorerTraits<Line, Skip, ReduceAdd>;
  CHECK(Adding::config.add);
  CHECK(Adding::addend == Addend::f32);
  CHECK(Adding::choice(90).width == 4096);
  CHECK(Adding::choice(80).width == 4);  // an element at a time
  using Matrix = SwizzledTile<float, 16, 64>;
  using Boxed = StorerTraits<Matrix, Mapped, Skip>;
  CHECK(Boxed::choice(90).path == Path::tensor);
  CHECK(Boxed::choice(90).width == 16 * 128);
  CHECK(Boxed::choice(80).path == Path::registers);
  CHECK(StorerTraits<Matrix, Mapped, ReduceAdd>::choice(90).path == Path::tensor);
  CHECK(StorerTraits<Matrix, Mapped, ReduceAdd>::choice(80).path == Path::registers);
  CHECK(StorerTraits<Tile<double, 512>, Mapped, ReduceAdd>::choice(90).path == Path::bulk);
  CHECK(StorerTraits<Tile<long, 8>>::addend == Addend::u64);
  CHECK(StorerTraits<Tile<short, 8>>::addend == Addend::none);
  CHECK(sizeof(StoreRing<Line, 3>) == 3 * sizeof(Line));
  CHECK(alignof(StoreRing<Line, 3>) == alignof(Line));
}
