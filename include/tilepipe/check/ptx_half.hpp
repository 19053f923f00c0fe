// SPDX-License-Identifier: Apache-2.0
// PTX arithmetic and conversions of 16-bit floating-point numbers, single and in pairs.
#pragma once

#include "ptx_convert.hpp"

namespace tilepipe::check::ptx {

// A 16-bit format of one sign, ExponentBits of exponent and the rest of fraction. Doubles hold all
// its values, and sums and products of two exactly enough to be rounded once more.
template <int ExponentBits>
struct Narrow {
  static constexpr int fraction = 15 - ExponentBits, bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr std::uint16_t infinity = ((1 << ExponentBits) - 1) << fraction;

  [[gnu::noinline]] static double decode(std::uint16_t bits) {
    const int exponent = (bits & 0x7fff) >> fraction, rest = bits & ((1 << fraction) - 1);
    double a = std::ldexp(rest, 1 - bias - fraction);
    if (exponent == (1 << ExponentBits) - 1)
      a = rest != 0 ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
    else if (exponent != 0)
      a = std::ldexp(rest + (1 << fraction), exponent - bias - fraction);
    return (bits & 0x8000) != 0 ? -a : a;
  }
  // To the nearest, ties to even; or toward zero. NaN becomes the canonical one.
  [[gnu::noinline]] static std::uint16_t encode(double x, bool toward_zero = false) {
    if (x != x) return 0x7fff;
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    const double a = std::fabs(x);
    if (a == 0 || std::isinf(a)) return sign | (a == 0 ? 0 : infinity);
    const int exponent = std::max(std::ilogb(a), 1 - bias);
    const double steps = std::ldexp(a, fraction - exponent);
    const double whole = toward_zero ? std::trunc(steps) : std::nearbyint(steps);
    const long bits = (long{exponent} + bias - 1) * (1 << fraction) + static_cast<long>(whole);
    const long most = toward_zero ? infinity - 1 : infinity;
    return sign | static_cast<std::uint16_t>(std::min(bits, most));
  }
};
using Half = Narrow<5>;
using Bfloat16 = Narrow<8>;

namespace half {

// a * b + c, rounded once: where the sum is not exact it is moved off the middle of two results.
struct MultiplyAdd {
  double operator()(double a, double b, double c) const {
    const double product = a * b, sum = product + c;
    const double of_c = sum - product;
    const double error = (product - (sum - of_c)) + (c - of_c);
    if (error == 0 || error != error) return sum;
    return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
  }
};
struct MinNan {
  double operator()(double a, double b) const { return a != a ? a : b != b ? b : std::fmin(a, b); }
};
struct MaxNan {
  double operator()(double a, double b) const { return a != a ? a : b != b ? b : std::fmax(a, b); }
};
struct Exp2 {
  double operator()(double a) const { return std::exp2(a); }
};
struct Tanh {
  double operator()(double a) const { return std::tanh(a); }
};

// The operation on `Count` numbers of a register each, the lowest first.
template <class F, int Count, class Operation, class... Slots>
void apply(Context& c, const Instruction& i, Slots... from) {
  Word all = 0;
  for (int k = 0; k < Count; ++k) {
    const auto part = [&](int slot) {
      return F::decode(static_cast<std::uint16_t>(c.r[i.slot[slot]] >> (16 * k)));
    };
    all |= Word{F::encode(Operation{}(part(from)...))} << (16 * k);
  }
  c.r[i.slot[0]] = all;
}
template <class F, int Count, class Operation>
void one(Context& c, const Instruction& i) {
  apply<F, Count, Operation>(c, i, 1);
}
template <class F, int Count, class Operation>
void two(Context& c, const Instruction& i) {
  apply<F, Count, Operation>(c, i, 1, 2);
}
template <class F, int Count, class Operation>
void three(Context& c, const Instruction& i) {
  apply<F, Count, Operation>(c, i, 1, 2, 3);
}
template <class F, class Comparison>
void compare(Context& c, const Instruction& i) {
  const auto number = [&](int slot) {
    return F::decode(static_cast<std::uint16_t>(c.r[i.slot[slot]]));
  };
  c.r[i.slot[0]] = Comparison{}(number(1), number(2));
}

template <class F, class From, bool TowardZero>
void narrow(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = F::encode(static_cast<double>(value<From>(c.r[i.slot[1]])), TowardZero);
}
// d, a, b: the first of the two becomes the upper half.
template <class F, bool TowardZero, bool Relu>
void narrow_pair(Context& c, const Instruction& i) {
  const auto part = [&](int slot) -> Word {
    const float a = value<float>(c.r[i.slot[slot]]);
    return F::encode(Relu && !(a > 0) && a == a ? 0.0 : a, TowardZero);
  };
  c.r[i.slot[0]] = part(1) << 16 | part(2);
}
template <class To, class F>
void widen(Context& c, const Instruction& i) {
  const double a = F::decode(static_cast<std::uint16_t>(c.r[i.slot[1]]));
  if constexpr (std::is_floating_point_v<To>) {
    c.r[i.slot[0]] = word(static_cast<To>(a));
  } else {
    c.r[i.slot[0]] = word(conversion::to_integer<To>(std::trunc(a)));
  }
}
// f32 with the 10 bits of fraction of tf32; ties away from zero.
inline void to_tf32(Context& c, const Instruction& i) {
  const auto a = value<std::uint32_t>(c.r[i.slot[1]]);
  const bool finite = (a & 0x7f800000u) != 0x7f800000u;
  c.r[i.slot[0]] = finite ? (a + 0x1000u) & 0xffffe000u : a;
}

template <class F, int Count>
void add_arithmetic(Table& table, const std::string& type) {
  for (const std::string rounding : {".", ".rn."}) {
    table.add("add" + rounding + type, {two<F, Count, floating::Add>, "drr"});
    table.add("sub" + rounding + type, {two<F, Count, floating::Sub>, "drr"});
    table.add("mul" + rounding + type, {two<F, Count, floating::Mul>, "drr"});
  }
  table.add({{"fma.rn.", {three<F, Count, MultiplyAdd>, "drrr"}},
             {"min.", {two<F, Count, floating::Min>, "drr"}},
             {"max.", {two<F, Count, floating::Max>, "drr"}},
             {"min.NaN.", {two<F, Count, MinNan>, "drr"}},
             {"max.NaN.", {two<F, Count, MaxNan>, "drr"}},
             {"neg.", {one<F, Count, floating::Neg>, "dr"}},
             {"abs.", {one<F, Count, floating::Abs>, "dr"}},
             {"tanh.approx.", {one<F, Count, Tanh>, "dr"}},
             {"ex2.approx.", {one<F, Count, Exp2>, "dr"}},
             {"ex2.approx.ftz.", {one<F, Count, Exp2>, "dr"}}},
            type);
}

template <class F>
void add_type(Table& table, const std::string& type) {
  add_arithmetic<F, 1>(table, type);
  add_arithmetic<F, 2>(table, type + "x2");
  table.add({{"setp.eq.", {compare<F, integer::Equal>, "drr"}},
             {"setp.ne.", {compare<F, floating::OrderedUnequal>, "drr"}},
             {"setp.neu.", {compare<F, integer::Unequal>, "drr"}},
             {"setp.lt.", {compare<F, integer::Less>, "drr"}},
             {"setp.le.", {compare<F, integer::LessEqual>, "drr"}},
             {"setp.gt.", {compare<F, integer::Greater>, "drr"}},
             {"setp.ge.", {compare<F, integer::GreaterEqual>, "drr"}},
             {"setp.nan.", {compare<F, floating::Unordered>, "drr"}},
             {"cvt.f32.", {widen<float, F>, "dr"}},
             {"cvt.f64.", {widen<double, F>, "dr"}}},
            type);
  table.add("cvt.rn." + type + ".f32", {narrow<F, float, false>, "dr"});
  table.add("cvt.rz." + type + ".f32", {narrow<F, float, true>, "dr"});
  table.add("cvt.rn." + type + ".f64", {narrow<F, double, false>, "dr"});
  table.add("cvt.rn." + type + "x2.f32", {narrow_pair<F, false, false>, "drr"});
  table.add("cvt.rz." + type + "x2.f32", {narrow_pair<F, true, false>, "drr"});
  table.add("cvt.rn.relu." + type + "x2.f32", {narrow_pair<F, false, true>, "drr"});
  conversion::for_all_integers([&](auto tag, const char* name) {
    using T = typename decltype(tag)::type;
    if (sizeof(T) == 8) return;  // a 64-bit number would be rounded twice
    table.add("cvt.rn." + type + "." + name, {narrow<F, T, false>, "dr"});
    table.add(std::string("cvt.rzi.") + name + "." + type, {widen<T, F>, "dr"});
  });
}

}  // namespace half

inline void add_half_instructions(Table& table) {
  half::add_type<Half>(table, "f16");
  half::add_type<Bfloat16>(table, "bf16");
  table.add("cvt.rna.tf32.f32", {half::to_tf32, "dr"});
}

}  // namespace tilepipe::check::ptx
