// SPDX-License-Identifier: Apache-2.0
// PTX floating-point instructions in IEEE arithmetic, and conversions.
#pragma once

#include <cmath>
#include <limits>

#include "ptx_integer.hpp"

namespace tilepipe::check::ptx {

namespace floating {

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct Mul {
  template <class T>
  T operator()(T a, T b) const {
    return a * b;
  }
};
struct Div {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
struct MultiplyAdd {
  template <class T>
  T operator()(T a, T b, T c) const {
    return std::fma(a, b, c);
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return std::fmin(a, b);
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return std::fmax(a, b);
  }
};
struct Neg {
  template <class T>
  T operator()(T a) const {
    return -a;
  }
};
struct Abs {
  template <class T>
  T operator()(T a) const {
    return std::fabs(a);
  }
};
struct SquareRoot {
  template <class T>
  T operator()(T a) const {
    return std::sqrt(a);
  }
};

// Comparisons that are true for a NaN.
template <class Ordered>
struct OrUnordered {
  template <class T>
  bool operator()(T a, T b) const {
    return a != a || b != b || Ordered{}(a, b);
  }
};
struct OrderedUnequal {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b || a > b;
  }
};

template <class T>
void add_type(Table& table, const std::string& type) {
  for (const char* rounding : {".", ".rn."}) {
    table.add("add" + (rounding + type), {binary<T, Add>, "drr"});
    table.add("sub" + (rounding + type), {binary<T, Sub>, "drr"});
    table.add("mul" + (rounding + type), {binary<T, Mul>, "drr"});
  }
  table.add("div.rn." + type, {binary<T, Div>, "drr"});
  table.add("fma.rn." + type, {ternary<T, MultiplyAdd>, "drrr"});
  table.add("sqrt.rn." + type, {unary<T, SquareRoot>, "dr"});
  table.add("min." + type, {binary<T, Min>, "drr"});
  table.add("max." + type, {binary<T, Max>, "drr"});
  table.add("neg." + type, {unary<T, Neg>, "dr"});
  table.add("abs." + type, {unary<T, Abs>, "dr"});
  table.add("selp." + type, {integer::select<T>, "drrr"});
  integer::add_comparisons<T>(table, type);
  table.add("setp.ne." + type, {binary<T, OrderedUnequal>, "drr"});
  table.add("setp.equ." + type, {binary<T, OrUnordered<integer::Equal>>, "drr"});
  table.add("setp.neu." + type, {binary<T, OrUnordered<integer::Unequal>>, "drr"});
  table.add("setp.ltu." + type, {binary<T, OrUnordered<integer::Less>>, "drr"});
  table.add("setp.leu." + type, {binary<T, OrUnordered<integer::LessEqual>>, "drr"});
  table.add("setp.gtu." + type, {binary<T, OrUnordered<integer::Greater>>, "drr"});
  table.add("setp.geu." + type, {binary<T, OrUnordered<integer::GreaterEqual>>, "drr"});
}

}  // namespace floating

namespace conversion {

template <class To, class From>
void plain(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = word(static_cast<To>(value<From>(c.r[i.slot[1]])));
}
// Toward zero; what does not fit becomes the nearest that does, and NaN zero.
template <class To, class From>
void truncate(Context& c, const Instruction& i) {
  const From a = value<From>(c.r[i.slot[1]]);
  using Limits = std::numeric_limits<To>;
  To result;
  if (a != a)
    result = 0;
  else if (a >= std::ldexp(From{1}, Limits::digits))
    result = Limits::max();
  else if (a <= static_cast<From>(Limits::min()))
    result = Limits::min();
  else
    result = static_cast<To>(a);
  c.r[i.slot[0]] = word(result);
}

template <class F>
void for_all_integers(F f) {
  f(Type<std::uint8_t>{}, "u8");
  f(Type<std::int8_t>{}, "s8");
  for_integer_types(f);
}

}  // namespace conversion

inline void add_float_instructions(Table& table) {
  floating::add_type<float>(table, "f32");
  floating::add_type<double>(table, "f64");
  conversion::for_all_integers([&](auto tag, const char* name) {
    using T = typename decltype(tag)::type;
    const std::string type = name;
    conversion::for_all_integers([&](auto from_tag, const char* from) {
      using From = typename decltype(from_tag)::type;
      table.add("cvt." + type + "." + from, {conversion::plain<T, From>, "dr"});
    });
    table.add("cvt.rn.f32." + type, {conversion::plain<float, T>, "dr"});
    table.add("cvt.rn.f64." + type, {conversion::plain<double, T>, "dr"});
    table.add("cvt.rzi." + type + ".f32", {conversion::truncate<T, float>, "dr"});
    table.add("cvt.rzi." + type + ".f64", {conversion::truncate<T, double>, "dr"});
  });
  table.add("cvt.f64.f32", {conversion::plain<double, float>, "dr"});
  table.add("cvt.rn.f32.f64", {conversion::plain<float, double>, "dr"});
}

}  // namespace tilepipe::check::ptx
