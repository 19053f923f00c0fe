// SPDX-License-Identifier: Apache-2.0
// The few pieces of the standard library that the headers need, for compilers that have no standard
// headers.
#pragma once

#include "../config.hpp"

#if defined(TILEPIPE_CHECKS) && !defined(__CUDACC_RTC__)
#include <cstdio>  // printf, for messages; NVRTC has it built in
#endif

TILEPIPE_NAMESPACE_BEGIN

// Elements, bytes and tiles are counted in 64 bits wherever they can pass 2^31.
using index_t = long long;
static_assert(sizeof(index_t) == 8, "tilepipe: long long must have 64 bits");

template <class A, class B>
inline constexpr bool is_same = false;
template <class A>
inline constexpr bool is_same<A, A> = true;

template <class T>
struct RemoveConst {
  using type = T;
};
template <class T>
struct RemoveConst<const T> {
  using type = T;
};

// Keeps a parameter out of template argument deduction.
template <class T>
struct NonDeduced {
  using type = T;
};

template <class T>
TILEPIPE_HD T&& declval() noexcept;  // never defined

template <bool Condition>
struct EnableIf {};
template <>
struct EnableIf<true> {
  using type = void;
};

// Whether an A can be a coordinate.
template <class A, class = void>
inline constexpr bool is_number = false;
template <class A>
inline constexpr bool is_number<A, decltype(static_cast<index_t>(declval<const A&>()), void())> =
    true;

// Whether each value of an A is one of int: then no 64-bit arithmetic is needed on it.
template <class A>
inline constexpr bool is_narrow = sizeof(A) < 4 || is_same<A, int>;

// Whether compute(const Stage&, Count) is a valid call: if not, it takes Stage& and may write to
// the stage.
template <class Compute, class Stage, class Count, class = void>
inline constexpr bool takes_const = false;
template <class Compute, class Stage, class Count>
inline constexpr bool
    takes_const<Compute, Stage, Count,
                decltype(declval<Compute&>()(declval<const Stage&>(), declval<Count>()), void())> =
        true;

// What compute returns.
template <class Compute, class Stage, class Count>
using ComputeResult = decltype(declval<Compute&>()(declval<Stage&>(), declval<Count>()));

TILEPIPE_HD constexpr int min_of(int a, int b) { return a < b ? a : b; }
TILEPIPE_HD constexpr int max_of(int a, int b) { return a > b ? a : b; }
TILEPIPE_HD constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

TILEPIPE_NAMESPACE_END
