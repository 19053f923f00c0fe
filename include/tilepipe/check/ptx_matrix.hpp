// SPDX-License-Identifier: Apache-2.0
// PTX matrix instructions of a warp: ldmatrix, stmatrix, movmatrix, and mma.sync with values.
#pragma once

#include "ptx_control.hpp"
#include "ptx_half.hpp"

namespace tilepipe::check::ptx {

namespace matrix {

using warp::Verb;

// All lanes that the block has in this warp meet, and the last one acts for all of them.
inline const WarpMeeting* meet_all(Context& c, const Instruction& i) {
  const auto lanes = static_cast<std::uint32_t>(c.block.threads().size()) - c.thread / 32 * 32;
  const std::uint32_t mask = lanes >= 32 ? ~0u : (1u << lanes) - 1;
  const WarpMeeting* meeting =
      c.block.meet(c.thread, static_cast<std::uint32_t>(Verb::matrix), mask, 0, &i, i.place);
  return meeting != nullptr && meeting->complete() ? meeting : nullptr;
}

// 8 x 8 elements of 16 bits. Lane l has two neighbours of row l / 4; transposed, of column l / 4.
using Tile = std::array<std::uint16_t, 64>;
template <bool Transposed>
Word fragment(const Tile& tile, std::uint32_t lane) {
  const std::uint32_t major = lane / 4, minor = lane % 4 * 2;
  const auto at = [&](std::uint32_t k) {
    return Transposed ? tile[(minor + k) * 8 + major] : tile[major * 8 + minor + k];
  };
  return Word{at(0)} | Word{at(1)} << 16;
}
template <bool Transposed>
void put_fragment(Tile& tile, std::uint32_t lane, Word pair) {
  const std::uint32_t major = lane / 4, minor = lane % 4 * 2;
  for (std::uint32_t k = 0; k < 2; ++k)
    tile[Transposed ? (minor + k) * 8 + major : major * 8 + minor + k] =
        static_cast<std::uint16_t>(pair >> (16 * k));
}

// Lane l says where row l % 8 of matrix l / 8 is. That lane counts as the one that accesses it.
template <class F>
void for_rows(Context& c, const WarpMeeting& meeting, std::uint32_t count, int slot, F f) {
  warp::for_lanes(meeting, [&](std::uint32_t lane, const Instruction& its) {
    if (lane >= 8 * count) return;
    const auto at = static_cast<std::uint32_t>(warp::registers_of(c, lane)[its.slot[slot]] +
                                               static_cast<Word>(its.offset[0]));
    f(c.thread / 32 * 32 + lane, at, lane / 8, lane % 8 * 8, its.place);
  });
}

template <int Count, bool Transposed>
void load(Context& c, const Instruction& i) {
  const WarpMeeting* meeting = meet_all(c, i);
  if (meeting == nullptr) return;
  std::array<Tile, Count> tiles{};
  for_rows(c, *meeting, Count, Count,
           [&](std::uint32_t thread, std::uint32_t at, std::uint32_t tile, std::uint32_t row,
               Place place) { c.block.load(thread, at, 16, place, &tiles[tile][row]); });
  warp::for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
    for (int k = 0; k < Count; ++k)
      warp::registers_of(c, lane)[its.slot[k]] = fragment<Transposed>(tiles[k], lane);
  });
  c.block.close_meeting(c.thread, meeting, false);
}
template <int Count, bool Transposed>
void store(Context& c, const Instruction& i) {
  const WarpMeeting* meeting = meet_all(c, i);
  if (meeting == nullptr) return;
  std::array<Tile, Count> tiles{};
  warp::for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
    for (int k = 0; k < Count; ++k)
      put_fragment<Transposed>(tiles[k], lane, warp::registers_of(c, lane)[its.slot[1 + k]]);
  });
  for_rows(c, *meeting, Count, 0,
           [&](std::uint32_t thread, std::uint32_t at, std::uint32_t tile, std::uint32_t row,
               Place place) { c.block.store(thread, at, 16, place, &tiles[tile][row]); });
  c.block.close_meeting(c.thread, meeting, false);
}
inline void transpose(Context& c, const Instruction& i) {
  const WarpMeeting* meeting = meet_all(c, i);
  if (meeting == nullptr) return;
  Tile tile{};
  warp::for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
    put_fragment<false>(tile, lane, warp::registers_of(c, lane)[its.slot[1]]);
  });
  warp::for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
    warp::registers_of(c, lane)[its.slot[0]] = fragment<true>(tile, lane);
  });
  c.block.close_meeting(c.thread, meeting, false);
}

// Elements of A and B: how many a register holds, and their values.
template <class F>
struct Halves {
  static constexpr int in_register = 2;
  static double decode(Word r, int k) { return F::decode(static_cast<std::uint16_t>(r >> 16 * k)); }
};
struct Tf32 {
  static constexpr int in_register = 1;
  static double decode(Word r, int) { return value<float>(r & 0xffffe000u); }
};
template <class T>
struct Bytes {
  static constexpr int in_register = 4;
  static std::int64_t decode(Word r, int k) { return static_cast<T>(r >> 8 * k); }
};

// Elements of C and D. The sum is rounded once; a device may round on the way.
struct SumF32 {
  static constexpr int in_register = 1;
  using Exact = double;
  static double decode(Word r, int) { return value<float>(r); }
  static Word encode(double sum) { return word(static_cast<float>(sum)); }
};
struct SumF16 {
  static constexpr int in_register = 2;
  using Exact = double;
  static double decode(Word r, int k) { return Halves<Half>::decode(r, k); }
  static Word encode(double sum) { return Half::encode(sum); }
};
struct SumS32 {
  static constexpr int in_register = 1;
  using Exact = std::int64_t;
  static std::int64_t decode(Word r, int) { return value<std::int32_t>(r); }
  static Word encode(std::int64_t sum) { return static_cast<std::uint32_t>(sum); }
};

// D = A * B + C of m16n8kK, A by rows and B by columns, in the fragments of the ISA's mma chapter.
template <class ElementA, class ElementB, class Sum, int K>
struct Multiply {
  static constexpr int of_register = ElementA::in_register;
  static constexpr int a_registers = K / of_register / 2, b_registers = K / of_register / 4;
  static constexpr int d_registers = 4 / Sum::in_register;

  static void run(Context& c, const Instruction& i) {
    const WarpMeeting* meeting = meet_all(c, i);
    if (meeting == nullptr) return;
    using Exact = typename Sum::Exact;
    std::array<std::array<Exact, K>, 16> a{};
    std::array<std::array<Exact, K>, 8> b{};  // by columns
    warp::for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
      const Word* r = warp::registers_of(c, lane);
      const std::uint32_t group = lane / 4, first = lane % 4 * of_register;
      for (int n = 0; n < a_registers; ++n)
        for (int k = 0; k < of_register; ++k)
          a[group + n % 2 * 8][first + k + n / 2 * 4 * of_register] =
              ElementA::decode(r[its.slot[d_registers + n]], k);
      for (int n = 0; n < b_registers; ++n)
        for (int k = 0; k < of_register; ++k)
          b[group][first + k + n * 4 * of_register] =
              ElementB::decode(r[its.slot[d_registers + a_registers + n]], k);
    });
    warp::for_lanes(*meeting, [&](std::uint32_t lane, const Instruction& its) {
      Word* r = warp::registers_of(c, lane);
      std::array<Word, 4> d{};
      for (int n = 0; n < 4; ++n) {
        const auto& row = a[lane / 4 + n / 2 * 8];
        const auto& column = b[lane % 4 * 2 + n % 2];
        const int of = n / Sum::in_register, k = n % Sum::in_register;
        Exact sum = Sum::decode(r[its.slot[d_registers + a_registers + b_registers + of]], k);
        Exact products = 0;
        for (int p = 0; p < K; ++p) products += row[p] * column[p];
        d[of] |= Sum::encode(sum + products) << (16 * k);
      }
      for (int n = 0; n < d_registers; ++n) r[its.slot[n]] = d[n];
    });
    c.block.close_meeting(c.thread, meeting, false);
  }

  // types: of D, A, B and C.
  static void add(Table& table, const std::string& types) {
    const auto vector = [](const char* letter, int count) {
      return letter + std::to_string(count);
    };
    static const std::string operands = vector("D", d_registers) + vector("R", a_registers) +
                                        vector("R", b_registers) + vector("R", d_registers);
    table.add("mma.sync.aligned.m16n8k" + std::to_string(K) + ".row.col." + types,
              {run, operands.c_str()});
  }
};

}  // namespace matrix

inline void add_matrix_instructions(Table& table) {
  using namespace matrix;
  for (const std::string space : {".shared", ".shared::cta"}) {
    const auto name = [&](const char* verb, const char* form) {
      return std::string(verb) + ".sync.aligned.m8n8." + form + space + ".b16";
    };
    table.add(name("ldmatrix", "x1"), {load<1, false>, "D1m"});
    table.add(name("ldmatrix", "x2"), {load<2, false>, "D2m"});
    table.add(name("ldmatrix", "x4"), {load<4, false>, "D4m"});
    table.add(name("ldmatrix", "x1.trans"), {load<1, true>, "D1m"});
    table.add(name("ldmatrix", "x2.trans"), {load<2, true>, "D2m"});
    table.add(name("ldmatrix", "x4.trans"), {load<4, true>, "D4m"});
    table.add(name("stmatrix", "x1"), {store<1, false>, "mR1"});
    table.add(name("stmatrix", "x2"), {store<2, false>, "mR2"});
    table.add(name("stmatrix", "x4"), {store<4, false>, "mR4"});
    table.add(name("stmatrix", "x1.trans"), {store<1, true>, "mR1"});
    table.add(name("stmatrix", "x2.trans"), {store<2, true>, "mR2"});
    table.add(name("stmatrix", "x4.trans"), {store<4, true>, "mR4"});
  }
  table.add("movmatrix.sync.aligned.m8n8.trans.b16", {transpose, "dr"});
  using F16 = Halves<Half>;
  using Bf16 = Halves<Bfloat16>;
  using S8 = Bytes<std::int8_t>;
  using U8 = Bytes<std::uint8_t>;
  Multiply<F16, F16, SumF32, 16>::add(table, "f32.f16.f16.f32");
  Multiply<F16, F16, SumF32, 8>::add(table, "f32.f16.f16.f32");
  Multiply<F16, F16, SumF16, 16>::add(table, "f16.f16.f16.f16");
  Multiply<F16, F16, SumF16, 8>::add(table, "f16.f16.f16.f16");
  Multiply<Bf16, Bf16, SumF32, 16>::add(table, "f32.bf16.bf16.f32");
  Multiply<Bf16, Bf16, SumF32, 8>::add(table, "f32.bf16.bf16.f32");
  Multiply<Tf32, Tf32, SumF32, 8>::add(table, "f32.tf32.tf32.f32");
  Multiply<Tf32, Tf32, SumF32, 4>::add(table, "f32.tf32.tf32.f32");
  Multiply<S8, S8, SumS32, 32>::add(table, "s32.s8.s8.s32");
  Multiply<S8, S8, SumS32, 16>::add(table, "s32.s8.s8.s32");
  Multiply<U8, U8, SumS32, 32>::add(table, "s32.u8.u8.s32");
  Multiply<U8, S8, SumS32, 32>::add(table, "s32.u8.s8.s32");
}

}  // namespace tilepipe::check::ptx
