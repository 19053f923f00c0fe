// SPDX-License-Identifier: Apache-2.0
// PTX integer, logic, bit and predicate instructions.
#pragma once

#include "ptx_instruction.hpp"

namespace tilepipe::check::ptx {

namespace integer {

// Computed as 64-bit unsigned numbers: the low bits are the same, and nothing overflows.
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Word(a) + Word(b));
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Word(a) - Word(b));
  }
};
struct MulLo {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Word(a) * Word(b));
  }
};
__extension__ typedef __int128 SignedWide;
__extension__ typedef unsigned __int128 UnsignedWide;
template <class T>
using Wide = std::conditional_t<std::is_signed_v<T>, SignedWide, UnsignedWide>;
struct MulHi {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wide<T>(a) * Wide<T>(b) >> (8 * sizeof(T)));
  }
};
// Of at most 32 bits: the product has twice as many.
struct MulWide {
  template <class T>
  Word operator()(T a, T b) const {
    return static_cast<Word>(Wide<T>(a) * Wide<T>(b));
  }
};
struct MadLo {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(Word(a) * Word(b) + Word(c));
  }
};
// Division by zero gives all ones, as on the device; so nothing traps here.
struct Div {
  template <class T>
  T operator()(T a, T b) const {
    return b == 0 ? static_cast<T>(-1) : static_cast<T>(Wide<T>(a) / Wide<T>(b));
  }
};
struct Rem {
  template <class T>
  T operator()(T a, T b) const {
    return b == 0 ? a : static_cast<T>(Wide<T>(a) % Wide<T>(b));
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Neg {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(-Word(a));
  }
};
struct Abs {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? static_cast<T>(-Word(a)) : a;
  }
};
struct And {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    if constexpr (std::is_same_v<T, bool>)
      return !a;
    else
      return static_cast<T>(~a);
  }
};
struct CountOnes {
  template <class T>
  std::uint32_t operator()(T a) const {
    return static_cast<std::uint32_t>(__builtin_popcountll(a));
  }
};
struct LeadingZeros {
  template <class T>
  std::uint32_t operator()(T a) const {
    return a == 0 ? 8 * sizeof(T)
                  : static_cast<std::uint32_t>(__builtin_clzll(a)) - (64 - 8 * sizeof(T));
  }
};

// The shift is a 32-bit number; beyond the width it gives zero, or the sign.
template <class T>
void shl(Context& c, const Instruction& i) {
  const auto by = value<std::uint32_t>(c.r[i.slot[2]]);
  c.r[i.slot[0]] =
      by >= 8 * sizeof(T) ? 0 : word(static_cast<T>(Word(value<T>(c.r[i.slot[1]])) << by));
}
template <class T>
void shr(Context& c, const Instruction& i) {
  auto by = value<std::uint32_t>(c.r[i.slot[2]]);
  const T a = value<T>(c.r[i.slot[1]]);
  if (by >= 8 * sizeof(T)) {
    if (std::is_unsigned_v<T>) {
      c.r[i.slot[0]] = 0;
      return;
    }
    by = 8 * sizeof(T) - 1;
  }
  c.r[i.slot[0]] = word(static_cast<T>(a >> by));
}
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
// b with the bits of a from `at` on, `count` of them.
inline void bfi_b32(Context& c, const Instruction& i) {
  const auto a = value<std::uint32_t>(c.r[i.slot[1]]), b = value<std::uint32_t>(c.r[i.slot[2]]);
  const auto at = c.r[i.slot[3]] & 255, count = c.r[i.slot[4]] & 255;
  if (at > 31) {
    c.r[i.slot[0]] = b;
    return;
  }
  const Word mask = ((Word{1} << (count > 32 ? 32 : count)) - 1) << at;
  c.r[i.slot[0]] = ((Word{b} & ~mask) | ((Word{a} << at) & mask)) & 0xffffffffu;
}
template <class T>
void select(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = word(value<T>(c.r[i.slot[value<bool>(c.r[i.slot[3]]) ? 1 : 2]]));
}

struct Equal {
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct Unequal {
  template <class T>
  bool operator()(T a, T b) const {
    return a != b;
  }
};
struct Less {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterEqual {
  template <class T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};

template <class T>
void add_comparisons(Table& table, const std::string& type) {
  table.add("setp.eq." + type, {binary<T, Equal>, "drr"});
  table.add("setp.ne." + type, {binary<T, Unequal>, "drr"});
  table.add("setp.lt." + type, {binary<T, Less>, "drr"});
  table.add("setp.le." + type, {binary<T, LessEqual>, "drr"});
  table.add("setp.gt." + type, {binary<T, Greater>, "drr"});
  table.add("setp.ge." + type, {binary<T, GreaterEqual>, "drr"});
}

template <class T>
void add_arithmetic(Table& table, const std::string& type) {
  table.add("add." + type, {binary<T, Add>, "drr"});
  table.add("sub." + type, {binary<T, Sub>, "drr"});
  table.add("mul.lo." + type, {binary<T, MulLo>, "drr"});
  table.add("mul.hi." + type, {binary<T, MulHi>, "drr"});
  if (sizeof(T) < 8) table.add("mul.wide." + type, {binary<T, MulWide>, "drr"});
  table.add("mad.lo." + type, {ternary<T, MadLo>, "drrr"});
  table.add("div." + type, {binary<T, Div>, "drr"});
  table.add("rem." + type, {binary<T, Rem>, "drr"});
  table.add("min." + type, {binary<T, Min>, "drr"});
  table.add("max." + type, {binary<T, Max>, "drr"});
  table.add("shr." + type, {shr<T>, "drr"});
  table.add("selp." + type, {select<T>, "drrr"});
  if constexpr (std::is_signed_v<T>) {
    table.add("neg." + type, {unary<T, Neg>, "dr"});
    table.add("abs." + type, {unary<T, Abs>, "dr"});
  }
}

template <class T>
void add_logic(Table& table, const std::string& type) {
  table.add("and." + type, {binary<T, And>, "drr"});
  table.add("or." + type, {binary<T, Or>, "drr"});
  table.add("xor." + type, {binary<T, Xor>, "drr"});
  table.add("not." + type, {unary<T, Not>, "dr"});
}

}  // namespace integer

inline void add_integer_instructions(Table& table) {
  for_integer_types([&](auto tag, const char* type) {
    using T = typename decltype(tag)::type;
    integer::add_arithmetic<T>(table, type);
    integer::add_comparisons<T>(table, type);
  });
  for_unsigned_types([&](auto tag, const char* bits) {
    using T = typename decltype(tag)::type;
    const std::string type = std::string("b") + bits;
    integer::add_logic<T>(table, type);
    table.add("shl." + type, {integer::shl<T>, "drr"});
    table.add("shr." + type, {integer::shr<T>, "drr"});
    table.add("selp." + type, {integer::select<T>, "drrr"});
    table.add("setp.eq." + type, {binary<T, integer::Equal>, "drr"});
    table.add("setp.ne." + type, {binary<T, integer::Unequal>, "drr"});
    if (sizeof(T) == 2) return;
    table.add("popc." + type, {unary<T, integer::CountOnes>, "dr"});
    table.add("clz." + type, {unary<T, integer::LeadingZeros>, "dr"});
  });
  integer::add_logic<bool>(table, "pred");
  table.add("shf.l.wrap.b32", {integer::shf_l_wrap, "drrr"});
  table.add("shf.r.wrap.b32", {integer::shf_r_wrap, "drrr"});
  table.add("bfi.b32", {integer::bfi_b32, "drrrr"});
}

}  // namespace tilepipe::check::ptx
