// SPDX-License-Identifier: Apache-2.0
// What TILEPIPE_CHECKS checks of the promises of loaders and storers, and how it says so.
#pragma once

#include "config.hpp"
#include "copy/rows.cuh"
#include "core/copy_plan.hpp"
#include "core/path.hpp"
#include "core/tensor_map.hpp"

TILEPIPE_NAMESPACE_BEGIN

// What an observer is told first.
struct PipelineInfo {
  int stages;
  int parts;
  bool loads;  // the calling thread's roles
  bool computes;
};

// Prints a sentence and ends the kernel with a trap. Arguments as of printf. (Without
// TILEPIPE_CHECKS the headers do not bring printf along, and it traps only.)
template <class... Args>
TILEPIPE_D void fail_check(const char* format, Args... args) {
#if defined(TILEPIPE_CHECKS)
  printf(format, args...);
  printf("tilepipe: in block (%u, %u, %u), thread (%u, %u, %u)\n", blockIdx.x, blockIdx.y,
         blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
#else
  (void)format;
  ((void)args, ...);
#endif
  __trap();
}

// Under TILEPIPE_CHECKS alone, and called there alone; in check_promises.cuh.

// A tensor map must be where a tensor copy can read it. who: TileLoader or TileStorer.
template <class Tile>
TILEPIPE_D void check_tensor_source(const char* who, const TensorSource<Tile>& source);

// What a fill or a store names must be an object that the pipeline was given.
template <class Set, class Given>
TILEPIPE_D void check_given(const char* verb, const Set& set, const Given& given);

template <bool Last, class Set, class Storer, class Stage, class Tile>
TILEPIPE_D void check_store(const Set& set, const Storer& storer, const Stage& oldest,
                            const Tile& tile);

// A tile's rows against what its loader or storer promised: alignment, where copies need it, that
// the array has the rows that an index names, and for Exact tiles that it has all of the tile.
struct WhoPromises;
template <class Traits, int G, class Rows>
TILEPIPE_D void check_promise(ThreadGroup<G> group, const Rows& rows, ByteRange inside,
                              WhoPromises who, bool aligned = true);

TILEPIPE_NAMESPACE_END

#if defined(TILEPIPE_CHECKS)
#include "check_promises.cuh"
#endif
