// SPDX-License-Identifier: Apache-2.0
// PTX instructions on single bits and bytes: counts, fields, funnel shifts, permutations.
#pragma once

#include <algorithm>

#include "ptx_integer.hpp"

namespace tilepipe::check::ptx {

namespace bits {

struct CountOnes {
  template <class T>
  std::uint32_t operator()(T a) const {
    return static_cast<std::uint32_t>(__builtin_popcountll(a));
  }
};
struct LeadingZeros {
  template <class T>
  std::uint32_t operator()(T a) const {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    return a == 0 ? bits : static_cast<std::uint32_t>(__builtin_clzll(a)) + bits - 64;
  }
};

// Words high:low turned left or right by the shift, modulo 32.
inline void shf_l_wrap(Context& c, const Instruction& i) {
  const Word both =
      Word{value<std::uint32_t>(c.r[i.slot[2]])} << 32 | value<std::uint32_t>(c.r[i.slot[1]]);
  c.r[i.slot[0]] = (both << (c.r[i.slot[3]] & 31)) >> 32;
}
inline void shf_r_wrap(Context& c, const Instruction& i) {
  const Word both =
      Word{value<std::uint32_t>(c.r[i.slot[2]])} << 32 | value<std::uint32_t>(c.r[i.slot[1]]);
  c.r[i.slot[0]] = (both >> (c.r[i.slot[3]] & 31)) & 0xffffffffu;
}
// b with the low bits of a from `at` on, `count` of them.
template <class T>
void bfi(Context& c, const Instruction& i) {
  const T a = value<T>(c.r[i.slot[1]]);
  const Word at = c.r[i.slot[3]] & 255, count = c.r[i.slot[4]] & 255;
  T result = value<T>(c.r[i.slot[2]]);
  for (Word k = at; k < at + count && k < 8 * sizeof(T); ++k)
    result = static_cast<T>((result & ~(T{1} << k)) | ((a >> (k - at) & T{1}) << k));
  c.r[i.slot[0]] = word(result);
}
// Bits of a from `at` on, `count` of them; signed, the last of them fills up.
template <class T>
void bfe(Context& c, const Instruction& i) {
  constexpr int bits = 8 * sizeof(T);
  const T a = value<T>(c.r[i.slot[1]]);
  const int at = static_cast<int>(c.r[i.slot[2]] & 255),
            count = static_cast<int>(c.r[i.slot[3]] & 255);
  const auto bit = [&](int k) { return Word(a) >> std::min(k, bits - 1) & 1; };
  const Word fill = std::is_signed_v<T> && count != 0 ? bit(std::min(at + count - 1, bits - 1)) : 0;
  Word result = 0;
  for (int k = 0; k < bits; ++k) {
    const bool inside = k < count && at + k < bits;
    result |= (inside ? bit(at + k) : fill) << k;
  }
  c.r[i.slot[0]] = word(static_cast<T>(result));
}
// The four bytes that the digits of the selector name, of b:a; with its top bit, only their sign.
inline void prmt_b32(Context& c, const Instruction& i) {
  const Word both =
      Word{value<std::uint32_t>(c.r[i.slot[2]])} << 32 | value<std::uint32_t>(c.r[i.slot[1]]);
  const Word selector = c.r[i.slot[3]];
  Word result = 0;
  for (int k = 0; k < 4; ++k) {
    const Word digit = selector >> (4 * k) & 15;
    Word byte = both >> (8 * (digit & 7)) & 255;
    if ((digit & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
    result |= byte << (8 * k);
  }
  c.r[i.slot[0]] = result;
}
// Bit k of the table says what three bits whose number is k become.
inline void lop3_b32(Context& c, const Instruction& i) {
  const Word a = c.r[i.slot[1]], b = c.r[i.slot[2]], d = c.r[i.slot[3]], table = c.r[i.slot[4]];
  Word result = 0;
  for (int k = 0; k < 8; ++k)
    if ((table >> k & 1) != 0)
      result |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? d : ~d);
  c.r[i.slot[0]] = result & 0xffffffffu;
}
template <bool Left>
void shf_clamp(Context& c, const Instruction& i) {
  const Word both =
      Word{value<std::uint32_t>(c.r[i.slot[2]])} << 32 | value<std::uint32_t>(c.r[i.slot[1]]);
  const Word by = std::min<Word>(value<std::uint32_t>(c.r[i.slot[3]]), 32);
  c.r[i.slot[0]] = Left ? (both << by) >> 32 : (both >> by) & 0xffffffffu;
}
struct Reverse {
  template <class T>
  T operator()(T a) const {
    Word result = 0;
    for (std::size_t k = 0; k < 8 * sizeof(T); ++k)
      result |= (Word(a) >> k & 1) << (8 * sizeof(T) - 1 - k);
    return static_cast<T>(result);
  }
};
// The highest bit that is not the sign, or all ones if there is none.
struct FindBit {
  template <class T>
  std::uint32_t operator()(T a) const {
    const Word bits = a < 0 ? ~Word(a) : Word(a);
    return bits == 0 ? ~0u : 63 - static_cast<std::uint32_t>(__builtin_clzll(bits));
  }
};

// The shift to the left that brings that bit to the top.
struct ShiftToTop {
  template <class T>
  std::uint32_t operator()(T a) const {
    const std::uint32_t bit = FindBit{}(a);
    return bit == ~0u ? bit : static_cast<std::uint32_t>(8 * sizeof(T)) - 1 - bit;
  }
};

template <class T>
void add_type(Table& table, const std::string& bits) {
  using Signed = std::make_signed_t<T>;
  table.add({{"popc.b", {unary<T, CountOnes>, "dr"}},
             {"clz.b", {unary<T, LeadingZeros>, "dr"}},
             {"brev.b", {unary<T, Reverse>, "dr"}},
             {"bfi.b", {bfi<T>, "drrrr"}},
             {"bfe.u", {bfe<T>, "drrr"}},
             {"bfe.s", {bfe<Signed>, "drrr"}},
             {"bfind.u", {unary<T, FindBit>, "dr"}},
             {"bfind.s", {unary<Signed, FindBit>, "dr"}},
             {"bfind.shiftamt.u", {unary<T, ShiftToTop>, "dr"}},
             {"bfind.shiftamt.s", {unary<Signed, ShiftToTop>, "dr"}}},
            bits);
}

}  // namespace bits

inline void add_bit_instructions(Table& table) {
  bits::add_type<std::uint32_t>(table, "32");
  bits::add_type<std::uint64_t>(table, "64");
  table.add("shf.l.wrap.b32", {bits::shf_l_wrap, "drrr"});
  table.add("shf.r.wrap.b32", {bits::shf_r_wrap, "drrr"});
  table.add("shf.l.clamp.b32", {bits::shf_clamp<true>, "drrr"});
  table.add("shf.r.clamp.b32", {bits::shf_clamp<false>, "drrr"});
  table.add("prmt.b32", {bits::prmt_b32, "drrr"});
  table.add("lop3.b32", {bits::lop3_b32, "drrrr"});
}

}  // namespace tilepipe::check::ptx
