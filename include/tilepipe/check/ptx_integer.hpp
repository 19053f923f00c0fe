// SPDX-License-Identifier: Apache-2.0
// PTX integer, logic and predicate instructions.
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
template <class T>
void select(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = word(value<T>(c.r[i.slot[value<bool>(c.r[i.slot[3]]) ? 1 : 2]]));
}

template <class T>
void mad_wide(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = MulWide{}(value<T>(c.r[i.slot[1]]), value<T>(c.r[i.slot[2]])) + c.r[i.slot[3]];
}
struct MadHi {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(Word(MulHi{}(a, b)) + Word(c));
  }
};
// The sum of four products of bytes, and c.
template <class A, class B>
void dp4a(Context& c, const Instruction& i) {
  std::int64_t sum = value<std::int32_t>(c.r[i.slot[3]]);
  for (int k = 0; k < 4; ++k)
    sum += std::int64_t{static_cast<A>(c.r[i.slot[1]] >> (8 * k))} *
           static_cast<B>(c.r[i.slot[2]] >> (8 * k));
  c.r[i.slot[0]] = static_cast<std::uint32_t>(sum);
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
  table.add({{"setp.eq.", {binary<T, Equal>, "drr"}},
             {"setp.ne.", {binary<T, Unequal>, "drr"}},
             {"setp.lt.", {binary<T, Less>, "drr"}},
             {"setp.le.", {binary<T, LessEqual>, "drr"}},
             {"setp.gt.", {binary<T, Greater>, "drr"}},
             {"setp.ge.", {binary<T, GreaterEqual>, "drr"}}},
            type);
}

template <class T>
void add_arithmetic(Table& table, const std::string& type) {
  table.add({{"add.", {binary<T, Add>, "drr"}},
             {"sub.", {binary<T, Sub>, "drr"}},
             {"mul.lo.", {binary<T, MulLo>, "drr"}},
             {"mul.hi.", {binary<T, MulHi>, "drr"}},
             {"mad.hi.", {ternary<T, MadHi>, "drrr"}}},
            type);
  if (sizeof(T) < 8) {
    table.add({{"mul.wide.", {binary<T, MulWide>, "drr"}}, {"mad.wide.", {mad_wide<T>, "drrr"}}},
              type);
  }
  table.add({{"mad.lo.", {ternary<T, MadLo>, "drrr"}},
             {"div.", {binary<T, Div>, "drr"}},
             {"rem.", {binary<T, Rem>, "drr"}},
             {"min.", {binary<T, Min>, "drr"}},
             {"max.", {binary<T, Max>, "drr"}},
             {"shr.", {shr<T>, "drr"}},
             {"selp.", {select<T>, "drrr"}}},
            type);
  if constexpr (std::is_signed_v<T>) {
    table.add({{"neg.", {unary<T, Neg>, "dr"}}, {"abs.", {unary<T, Abs>, "dr"}}}, type);
  }
}

template <class T>
void add_logic(Table& table, const std::string& type) {
  table.add({{"and.", {binary<T, And>, "drr"}},
             {"or.", {binary<T, Or>, "drr"}},
             {"xor.", {binary<T, Xor>, "drr"}},
             {"not.", {unary<T, Not>, "dr"}}},
            type);
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
    table.add({{"shl.", {integer::shl<T>, "drr"}},
               {"shr.", {integer::shr<T>, "drr"}},
               {"selp.", {integer::select<T>, "drrr"}},
               {"setp.eq.", {binary<T, integer::Equal>, "drr"}},
               {"setp.ne.", {binary<T, integer::Unequal>, "drr"}}},
              type);
  });
  integer::add_logic<bool>(table, "pred");
  table.add("dp4a.s32.s32", {integer::dp4a<std::int8_t, std::int8_t>, "drrr"});
  table.add("dp4a.u32.u32", {integer::dp4a<std::uint8_t, std::uint8_t>, "drrr"});
}

}  // namespace tilepipe::check::ptx
