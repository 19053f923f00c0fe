// SPDX-License-Identifier: Apache-2.0
// PTX floating-point instructions in IEEE arithmetic.
#pragma once

#include <cfloat>
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

struct CopySign {
  template <class T>
  T operator()(T a, T b) const {
    return std::copysign(b, a);
  }
};
struct Saturate {
  template <class T>
  T operator()(T a) const {
    return a > 0 ? std::fmin(a, T{1}) : T{0};
  }
};

struct Unordered {
  template <class T>
  bool operator()(T a, T b) const {
    return a != a || b != b;
  }
};
struct Ordered {
  template <class T>
  bool operator()(T a, T b) const {
    return a == a && b == b;
  }
};
// Comparisons that are true for a NaN.
template <class Compare>
struct OrUnordered {
  template <class T>
  bool operator()(T a, T b) const {
    return Unordered{}(a, b) || Compare{}(a, b);
  }
};
struct OrderedUnequal {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b || a > b;
  }
};

// Rounded toward zero, down or up: a sum of two doubles is its double and an exact rest.
enum class Toward { zero, down, up };
template <Toward To>
float rounded(double sum, double rest) {
  auto r = static_cast<float>(sum);
  const double off = (static_cast<double>(r) - sum) - rest;  // above the exact result if positive
  if (std::isinf(sum) || off == 0 || off != off) return r;
  const bool down =
      To == Toward::down || (To == Toward::zero && (sum > 0 || (sum == 0 && rest > 0)));
  if (down && off > 0) r = std::nextafter(r, -HUGE_VALF);
  if (!down && off < 0) r = std::nextafter(r, HUGE_VALF);
  return r;
}
template <Toward To>
struct DirectedMultiplyAdd {
  float operator()(float a, float b, float c) const {
    const double product = static_cast<double>(a) * b, sum = product + c, of_c = sum - product;
    return rounded<To>(sum, (product - (sum - of_c)) + (c - of_c));
  }
};
template <Toward To>
struct DirectedAdd {
  float operator()(float a, float b) const { return DirectedMultiplyAdd<To>{}(a, 1, b); }
};
template <Toward To>
struct DirectedMul {
  float operator()(float a, float b) const { return rounded<To>(static_cast<double>(a) * b, 0); }
};

// .ftz: subnormal numbers count as zero, and so do subnormal results.
template <class Operation>
struct Flushed {
  static float flush(float a) { return std::fabs(a) < FLT_MIN ? std::copysign(0.0f, a) : a; }
  static bool flush(bool a) { return a; }
  template <class... T>
  auto operator()(T... a) const {
    return flush(Operation{}(flush(a)...));
  }
};

// What the device only approximates, to the nearest: a device's result may differ in its last bits.
struct Reciprocal {
  template <class T>
  T operator()(T a) const {
    return 1 / a;
  }
};
struct ReciprocalRoot {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(1 / std::sqrt(static_cast<double>(a)));
  }
};
#define TILEPIPE_CHECK_APPROXIMATION(Name, function)                                    \
  struct Name {                                                                         \
    float operator()(float a) const { return static_cast<float>(function(double{a})); } \
  };
TILEPIPE_CHECK_APPROXIMATION(Exp2, std::exp2)
TILEPIPE_CHECK_APPROXIMATION(Log2, std::log2)
TILEPIPE_CHECK_APPROXIMATION(Sine, std::sin)
TILEPIPE_CHECK_APPROXIMATION(Cosine, std::cos)
TILEPIPE_CHECK_APPROXIMATION(Tanh, std::tanh)
#undef TILEPIPE_CHECK_APPROXIMATION

template <class T>
void add_comparisons(Table& table, const std::string& type) {
  integer::add_comparisons<T>(table, type);
  table.add({{"setp.ne.", {binary<T, OrderedUnequal>, "drr"}},
             {"setp.equ.", {binary<T, OrUnordered<integer::Equal>>, "drr"}},
             {"setp.neu.", {binary<T, OrUnordered<integer::Unequal>>, "drr"}},
             {"setp.ltu.", {binary<T, OrUnordered<integer::Less>>, "drr"}},
             {"setp.leu.", {binary<T, OrUnordered<integer::LessEqual>>, "drr"}},
             {"setp.gtu.", {binary<T, OrUnordered<integer::Greater>>, "drr"}},
             {"setp.geu.", {binary<T, OrUnordered<integer::GreaterEqual>>, "drr"}},
             {"setp.nan.", {binary<T, Unordered>, "drr"}},
             {"setp.num.", {binary<T, Ordered>, "drr"}}},
            type);
}

template <class T>
void add_type(Table& table, const std::string& type) {
  for (const char* rounding : {".", ".rn."}) {
    table.add("add" + (rounding + type), {binary<T, Add>, "drr"});
    table.add("sub" + (rounding + type), {binary<T, Sub>, "drr"});
    table.add("mul" + (rounding + type), {binary<T, Mul>, "drr"});
  }
  table.add({{"div.rn.", {binary<T, Div>, "drr"}},
             {"fma.rn.", {ternary<T, MultiplyAdd>, "drrr"}},
             {"rcp.rn.", {unary<T, Reciprocal>, "dr"}},
             {"sqrt.rn.", {unary<T, SquareRoot>, "dr"}},
             {"rsqrt.approx.", {unary<T, ReciprocalRoot>, "dr"}},
             {"min.", {binary<T, Min>, "drr"}},
             {"max.", {binary<T, Max>, "drr"}},
             {"neg.", {unary<T, Neg>, "dr"}},
             {"abs.", {unary<T, Abs>, "dr"}},
             {"copysign.", {binary<T, CopySign>, "drr"}},
             {"selp.", {integer::select<T>, "drrr"}}},
            type);
  add_comparisons<T>(table, type);
}

// An operation of f32 by both its names, with and without .ftz.
template <class Operation, template <class, class> class Shape>
void add_f32(Table& table, const std::string& name, const char* operands) {
  table.add(name + ".f32", {Shape<float, Operation>::run, operands});
  table.add(name + ".ftz.f32", {Shape<float, Flushed<Operation>>::run, operands});
}
template <class T, class Operation>
struct Unary {
  static constexpr Handler run = unary<T, Operation>;
};
template <class T, class Operation>
struct Binary {
  static constexpr Handler run = binary<T, Operation>;
};
template <class T, class Operation>
struct Ternary {
  static constexpr Handler run = ternary<T, Operation>;
};

template <Toward To>
void add_directed(Table& table, const std::string& rounding) {
  add_f32<DirectedAdd<To>, Binary>(table, "add" + rounding, "drr");
  add_f32<DirectedMul<To>, Binary>(table, "mul" + rounding, "drr");
  add_f32<DirectedMultiplyAdd<To>, Ternary>(table, "fma" + rounding, "drrr");
}

inline void add_f32_only(Table& table) {
  for (const std::string rounding : {"", ".rn"}) {
    add_f32<Add, Binary>(table, "add" + rounding, "drr");
    add_f32<Sub, Binary>(table, "sub" + rounding, "drr");
    add_f32<Mul, Binary>(table, "mul" + rounding, "drr");
  }
  for (const char* name : {"div.rn", "div.approx", "div.full"})
    add_f32<Div, Binary>(table, name, "drr");
  for (const char* name : {"rcp.rn", "rcp.approx"}) add_f32<Reciprocal, Unary>(table, name, "dr");
  for (const char* name : {"sqrt.rn", "sqrt.approx"}) add_f32<SquareRoot, Unary>(table, name, "dr");
  add_f32<MultiplyAdd, Ternary>(table, "fma.rn", "drrr");
  add_f32<ReciprocalRoot, Unary>(table, "rsqrt.approx", "dr");
  add_f32<Exp2, Unary>(table, "ex2.approx", "dr");
  add_f32<Log2, Unary>(table, "lg2.approx", "dr");
  add_f32<Sine, Unary>(table, "sin.approx", "dr");
  add_f32<Cosine, Unary>(table, "cos.approx", "dr");
  table.add("tanh.approx.f32", {unary<float, Tanh>, "dr"});
  add_f32<Min, Binary>(table, "min", "drr");
  add_f32<Max, Binary>(table, "max", "drr");
  add_f32<Neg, Unary>(table, "neg", "dr");
  add_f32<Abs, Unary>(table, "abs", "dr");
  add_f32<integer::Less, Binary>(table, "setp.lt", "drr");
  add_f32<integer::LessEqual, Binary>(table, "setp.le", "drr");
  add_f32<integer::Greater, Binary>(table, "setp.gt", "drr");
  add_f32<integer::GreaterEqual, Binary>(table, "setp.ge", "drr");
  add_f32<integer::Equal, Binary>(table, "setp.eq", "drr");
  add_f32<OrUnordered<integer::Unequal>, Binary>(table, "setp.neu", "drr");
  add_f32<Unordered, Binary>(table, "setp.nan", "drr");
  add_directed<Toward::zero>(table, ".rz");
  add_directed<Toward::down>(table, ".rm");
  add_directed<Toward::up>(table, ".rp");
  table.add("cvt.sat.f32.f32", {unary<float, Saturate>, "dr"});
  table.add("cvt.ftz.sat.f32.f32", {unary<float, Flushed<Saturate>>, "dr"});
}

}  // namespace floating

inline void add_float_instructions(Table& table) {
  floating::add_type<float>(table, "f32");
  floating::add_type<double>(table, "f64");
  floating::add_f32_only(table);
}

}  // namespace tilepipe::check::ptx
