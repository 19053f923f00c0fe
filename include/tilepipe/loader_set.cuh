// SPDX-License-Identifier: Apache-2.0
// LoaderSet: references to the loaders of a pipeline.
#pragma once

#include "core/completion.hpp"
#include "core/copy_plan.hpp"

TILEPIPE_NAMESPACE_BEGIN

// Walked by recursion: NVRTC takes generic lambdas in kernels for host functions.
template <class... Loaders>
struct LoaderSet {
  template <bool WholeWarps, int G>
  TILEPIPE_D void begin(ThreadGroup<G>) {}
  template <int G>
  TILEPIPE_D void store_pending(ThreadGroup<G>) {}
  TILEPIPE_D bool contains(const void*) const { return false; }
};
template <class Head, class... Tail>
struct LoaderSet<Head, Tail...> {
  Head& head;
  LoaderSet<Tail...> tail;

  TILEPIPE_D explicit LoaderSet(Head& h, Tail&... t) : head(h), tail(t...) {}
  template <bool WholeWarps, int G>
  TILEPIPE_D void begin(ThreadGroup<G> group) {
    head.template begin<WholeWarps>(group);
    tail.template begin<WholeWarps>(group);
  }
  template <int G>
  TILEPIPE_D void store_pending(ThreadGroup<G> group) {
    head.store_pending(group);
    tail.store_pending(group);
  }
  TILEPIPE_D bool contains(const void* loader) const {
    return loader == &head || tail.contains(loader);
  }
};

template <class L, class = void>
inline constexpr bool is_loader = false;
template <class L>
inline constexpr bool is_loader<L, decltype(L::path, void())> = true;
template <class... Loaders>
using AllLoaders = typename EnableIf<(is_loader<Loaders> && ...)>::type;

// The paths of the loaders in a pipeline, in the code being compiled.
template <class Team, class Policy, class... Loaders>
TILEPIPE_HD constexpr PathSet paths_of() {
  PathSet set{};
  (set.add(
       Loaders::template path_in<Team::kind, Policy::completion>, Loaders::stores_at_issue,
       Loaders::template one_issuer<Loaders::template path_in<Team::kind, Policy::completion>>()),
   ...);
  return set;
}

TILEPIPE_NAMESPACE_END
