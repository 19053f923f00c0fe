// SPDX-License-Identifier: Apache-2.0
// PTX conversions between integers, f32 and f64.
#pragma once

#include "ptx_float.hpp"

namespace tilepipe::check::ptx {

namespace conversion {

template <class To, class From>
void plain(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = word(static_cast<To>(value<From>(c.r[i.slot[1]])));
}
// A whole number: what does not fit becomes the nearest that does, and NaN zero.
template <class To, class From>
To to_integer(From a) {
  using Limits = std::numeric_limits<To>;
  if (a != a) return 0;
  if (a >= std::ldexp(From{1}, Limits::digits)) return Limits::max();
  if (a <= static_cast<From>(Limits::min())) return Limits::min();
  return static_cast<To>(a);
}
// How a number becomes whole: .rzi toward zero, .rni to the nearest even, .rmi down, .rpi up.
struct Truncate {
  template <class T>
  T operator()(T a) const {
    return std::trunc(a);
  }
};
struct Nearest {
  template <class T>
  T operator()(T a) const {
    return std::nearbyint(a);
  }
};
struct Floor {
  template <class T>
  T operator()(T a) const {
    return std::floor(a);
  }
};
struct Ceiling {
  template <class T>
  T operator()(T a) const {
    return std::ceil(a);
  }
};
template <class To, class From, class Rounding>
void whole(Context& c, const Instruction& i) {
  const From a = Rounding{}(value<From>(c.r[i.slot[1]]));
  if constexpr (std::is_floating_point_v<To>)
    c.r[i.slot[0]] = word(static_cast<To>(a));
  else
    c.r[i.slot[0]] = word(to_integer<To>(a));
}
template <class To, class From>
void add_whole(Table& table, const std::string& types) {
  const auto add = [&](auto rounding, const std::string& name) {
    using Rounding = decltype(rounding);
    for (const std::string ftz : {"", ".ftz"})
      table.add("cvt." + name + ftz + "." + types, {whole<To, From, Rounding>, "dr"});
  };
  add(Truncate{}, "rzi");
  add(Nearest{}, "rni");
  add(Floor{}, "rmi");
  add(Ceiling{}, "rpi");
}

template <class F>
void for_all_integers(F f) {
  f(Type<std::uint8_t>{}, "u8");
  f(Type<std::int8_t>{}, "s8");
  for_integer_types(f);
}

}  // namespace conversion

inline void add_conversion_instructions(Table& table) {
  using conversion::plain;
  conversion::for_all_integers([&](auto tag, const char* name) {
    using T = typename decltype(tag)::type;
    const std::string type = name;
    conversion::for_all_integers([&](auto from_tag, const char* from) {
      using From = typename decltype(from_tag)::type;
      table.add("cvt." + type + "." + from, {plain<T, From>, "dr"});
    });
    table.add({{"cvt.rn.f32.", {plain<float, T>, "dr"}}, {"cvt.rn.f64.", {plain<double, T>, "dr"}}},
              type);
    conversion::add_whole<T, float>(table, type + ".f32");
    conversion::add_whole<T, double>(table, type + ".f64");
  });
  conversion::add_whole<float, float>(table, "f32.f32");
  conversion::add_whole<double, double>(table, "f64.f64");
  table.add("cvt.f64.f32", {plain<double, float>, "dr"});
  table.add("cvt.rn.f32.f64", {plain<float, double>, "dr"});
}

}  // namespace tilepipe::check::ptx
