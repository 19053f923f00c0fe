// SPDX-License-Identifier: Apache-2.0
// Tests of the path choice: against tables written by hand, over architecture, edge, source,
// alignment, row length and layout.
#include <set>
#include <string>
#include <tilepipe/core/loader_traits.hpp>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using namespace tilepipe;
using tilepipe_test::Tally;

constexpr int archs[] = {70, 75, 80, 86, 87, 89, 90, 100, 120};
constexpr Edge edges[] = {Edge::exact, Edge::zero_fill, Edge::skip};
constexpr SourceKind sources[] = {SourceKind::dense, SourceKind::gathered, SourceKind::mapped};
constexpr int alignments[] = {0, 1, 2, 4, 8, 16};

// Row length, and the widest power of two up to 16 that divides it.
struct RowLength {
  int bytes;
  int widest;
};
constexpr RowLength row_lengths[] = {
    {1, 1},     {2, 2},    {3, 1},     {4, 4},     {6, 2},     {8, 8},     {12, 4},    {16, 16},
    {20, 4},    {24, 8},   {32, 16},   {48, 16},   {64, 16},   {66, 2},    {1008, 16}, {1020, 4},
    {1024, 16}, {1032, 8}, {1040, 16}, {2032, 16}, {2048, 16}, {4080, 16}, {4096, 16}, {16384, 16}};

struct Layout {
  int granule;
  bool contiguous;
  bool gapless;
};
constexpr Layout layouts[] = {
    {16, true, true},  // Tile
    {16, true, false},  {8, true, false}, {4, true, false},
    {2, true, false},   {1, true, false},  // PaddedTile
    {16, false, false},                    // SwizzledTile
};

// Whether a mapped source travels by tensor copies, from 9.0 on: not to padded tiles, not in rows
// that are no multiple of 16 bytes, not with Skip, not with a lower promise.
bool takes_tensor(int arch, Edge edge, SourceKind source, int row_bytes, Layout layout, int width) {
  return arch >= 90 && width >= 16 && source == SourceKind::mapped && edge != Edge::skip &&
         (layout.gapless || !layout.contiguous) && row_bytes % 16 == 0;
}

// Path by the width that all allow, below 9.0. Any alignment counts as 4: it finds out.
Path path_before_bulk(int arch, int width) {
  if (arch < 80) return Path::registers;
  return width >= 4 ? Path::cp_async : Path::registers;
}

// From 9.0, with 16 bytes: what an exact tile takes. Rows: one row, rows apart, rows without gaps.
constexpr Path C = Path::cp_async;
constexpr Path B = Path::bulk;
//                              one row     rows apart   Packed
constexpr Path short_tile[] = {B, C, B};
constexpr Path short_padded[] = {C, C, C};
constexpr Path short_swizzled[] = {C, C, C};
constexpr Path short_gathered[] = {C, C, C};
constexpr Path long_tile[] = {B, B, B};  // rows of 2 KiB and more, gathered 4 KiB
constexpr Path long_padded[] = {B, B, B};
constexpr Path long_swizzled[] = {C, C, C};
constexpr Path long_gathered[] = {B, B, B};

Path expected_path(int arch, Edge edge, SourceKind source, int row_bytes, Layout layout, int kind,
                   int width, bool any) {
  if (takes_tensor(arch, edge, source, row_bytes, layout, width)) return Path::tensor;
  if (any) return path_before_bulk(arch, 4);
  if (arch < 90 || width < 16 || edge != Edge::exact) return path_before_bulk(arch, width);
  const bool longer = row_bytes >= (source == SourceKind::gathered ? 4096 : 2048);
  if (!layout.contiguous) return (longer ? long_swizzled : short_swizzled)[kind];
  if (source == SourceKind::gathered) return (longer ? long_gathered : short_gathered)[kind];
  if (!layout.gapless) return (longer ? long_padded : short_padded)[kind];
  return (longer ? long_tile : short_tile)[kind];
}

int smallest(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

template <class F>
void for_each_case(F&& f) {
  for (const int arch : archs)
    for (const Edge edge : edges)
      for (const SourceKind source : sources)
        for (const RowLength row : row_lengths)
          for (const Layout layout : layouts)
            for (int kind = 0; kind < 3; ++kind)  // one row, rows apart, Packed
              for (int a = 0; a < 7; ++a) {       // six promises, and none
                const bool any = a == 6;
                LoaderConfig config;
                config.edge = edge;
                config.source = source;
                config.any_alignment = any;
                config.alignment = any ? 0 : alignments[a];
                config.packed = kind == 2;
                const int rows = kind == 0 ? 1 : 8;
                const TileShape shape{rows,           row.bytes, layout.granule,  layout.contiguous,
                                      layout.gapless, true,      rows * row.bytes};
                const int promise = any || alignments[a] == 0 ? 16 : alignments[a];
                const int width = any ? 1 : smallest(row.widest, layout.granule, promise);
                f(arch, shape, config, layout, kind, width);
              }
}

}  // namespace

TEST_CASE("choose_path agrees with the hand-written table when all that it depends on sweeps") {
  Tally tally;
  std::set<std::string> reasons;
  for_each_case([&](int arch, TileShape s, LoaderConfig c, Layout layout, int kind, int width) {
    const auto at = {static_cast<long long>(arch),
                     static_cast<long long>(c.edge),
                     static_cast<long long>(c.source),
                     static_cast<long long>(s.row_bytes),
                     static_cast<long long>(s.granule),
                     static_cast<long long>(kind),
                     static_cast<long long>(c.any_alignment ? -1 : c.alignment)};
    const Choice choice = choose_path(arch, s, c);
    const Path path =
        expected_path(arch, c.edge, c.source, s.row_bytes, layout, kind, width, c.any_alignment);
    tally.expect(choice.path == path, "path", at);
    tally.expect(promised_alignment(s, c) == width, "promised alignment", at);
    const bool whole =
        path == Path::bulk && layout.gapless && kind != 1 && c.source != SourceKind::gathered;
    const int run = whole ? s.rows * s.row_bytes : s.row_bytes;
    tally.expect(choice.width == (path == Path::bulk     ? run
                                  : path == Path::tensor ? s.box_bytes
                                                         : width),
                 "width", at);
    tally.expect(refuse_path(arch, choice.path, s, c) == PathRefusal::none, "never refused", at);
    reasons.insert(choice.reason);
  });
  CHECK(tally.report() == "");
  CHECK(tally.checks() == 4 * 9 * 3 * 3 * 24 * 7 * 3 * 7);
  CHECK(reasons == std::set<std::string>{
                       "a tensor map, box by box",
                       "any alignment without cp.async: copied at once",
                       "bulk copies do not swizzle",
                       "bulk copies have no bounds handling",
                       "bulk copies need 16-byte alignment",
                       "bulk copies need compute capability 9.0",
                       "cp.async needs 4-byte alignment",
                       "cp.async needs compute capability 8.0",
                       "gathered rows under 4 KiB: a bulk copy a row would be slower",
                       "one run of bytes, 16-byte aligned, exact",
                       "rows of 2 KiB and more, 16-byte aligned, exact",
                       "gathered rows of 4 KiB and more, 16-byte aligned, exact",
                       "rows under 2 KiB: a bulk copy a row would be slower",
                       "the plain view: tensor copies need 16-byte alignment",
                       "the plain view: tensor copies need compute capability 9.0",
                       "the plain view: tensor copies need rows of a multiple of 16 bytes",
                       "the plain view: tensor copies write rows without gaps",
                       "the plain view: tensor copies write zeros outside the source",
                       "the widest copies that the alignment found at run time allows",
                   });
}

TEST_CASE("choose_path answers what is demanded when it is refused as well") {
  Tally tally;
  for_each_case([&](int arch, TileShape s, LoaderConfig c, Layout, int kind, int width) {
    for (const Path p :
         {Path::registers, Path::cp_async, Path::bulk, Path::tensor, Path::libcudacxx}) {
      c.demanded = p;
      const Choice choice = choose_path(arch, s, c);
      const bool whole = s.gapless && kind != 1 && c.source != SourceKind::gathered;
      const int run = whole ? s.rows * s.row_bytes : s.row_bytes;
      tally.expect(choice.path == p && std::string(choice.reason) == "demanded by the kernel",
                   "path", {arch, static_cast<long long>(p)});
      tally.expect(choice.width == (p == Path::bulk     ? run
                                    : p == Path::tensor ? s.box_bytes
                                                        : width),
                   "width", {arch, static_cast<long long>(p)});
    }
  });
  CHECK(tally.report() == "");
}

TEST_CASE("choose_path takes the plain view and says why when a tile has no cut into boxes") {
  using Fits = LoaderTraits<Tile<float, 3, 512>, Mapped, ZeroFill>;
  using Unfit = LoaderTraits<Tile<unsigned char, 3, 272>, Mapped, ZeroFill>;  // 17 x 16
  CHECK(Fits::choice(90).path == Path::tensor);
  CHECK(Fits::choice(90).width == 1024);
  CHECK(Unfit::choice(90).path == Path::cp_async);
  CHECK(std::string(Unfit::choice(90).reason) ==
        "the plain view: the tile has no cut into tensor boxes");
  CHECK(refuse_path(90, Path::tensor, Unfit::shape, Unfit::config) == PathRefusal::tensor_boxes);
}

TEST_CASE("Options say the same when their order differs") {
  constexpr LoaderConfig a =
      configure<ZeroFill, Gathered, Aligned<8>, L2Prefetch<128>, CacheGlobal, Packed, EvictFirst>();
  constexpr LoaderConfig b =
      configure<EvictFirst, Packed, CacheGlobal, L2Prefetch<128>, Aligned<8>, Gathered, ZeroFill>();
  for (const LoaderConfig& c : {a, b}) {
    CHECK(c.edge == Edge::zero_fill);
    CHECK(c.source == SourceKind::gathered);
    CHECK(c.alignment == 8);
    CHECK(c.l2_prefetch == 128);
    CHECK(c.cache == CacheOperator::global);
    CHECK(c.packed);
    CHECK(c.demanded == Path::automatic);
  }
  CHECK(configure<>().edge == Edge::exact);
  CHECK(configure<Skip>().edge == Edge::skip);
  CHECK(configure<Skip, Exact>().edge == Edge::exact);
  CHECK(configure<Mapped>().source == SourceKind::mapped);
  CHECK(configure<AnyAlignment>().any_alignment);
  CHECK(configure<CacheAll>().cache == CacheOperator::all);
  CHECK(configure<Via<Path::bulk>>().demanded == Path::bulk);
}

TEST_CASE("LoaderTraits tells path, width and fragments when a tile is given") {
  using Plain = LoaderTraits<Tile<float, 4096>>;
  STATIC_REQUIRE(Plain::choice(75).path == Path::registers);
  STATIC_REQUIRE(Plain::choice(80).path == Path::cp_async);
  STATIC_REQUIRE(Plain::choice(90).path == Path::bulk);
  CHECK(Plain::choice(90).width == 16384);
  CHECK(Plain::fragment_bytes(64) == 8192);    // 128 bytes a thread
  CHECK(Plain::fragment_bytes(256) == 16384);  // all of it
  using Bytes = LoaderTraits<Tile<unsigned char, 16385>>;
  CHECK(Bytes::width == 1);
  CHECK(Bytes::fragment_bytes(64) == 2048);  // 32 registers of one byte
  CHECK(LoaderTraits<Tile<float, 4096>, AnyAlignment>::fragment_bytes(256) == 0);
}
