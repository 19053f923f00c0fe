// SPDX-License-Identifier: Apache-2.0
// The few pieces of the standard library that the headers need, for compilers that have no standard headers.
#pragma once

#include "../config.hpp"

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

TILEPIPE_HD constexpr int min_of(int a, int b) { return a < b ? a : b; }
TILEPIPE_HD constexpr int max_of(int a, int b) { return a > b ? a : b; }
TILEPIPE_HD constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

TILEPIPE_NAMESPACE_END
