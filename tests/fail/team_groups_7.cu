// SPDX-License-Identifier: Apache-2.0
// More groups of computing threads than there are named barriers for.
// expect: tilepipe::SpecializedGroups<Producers, GroupThreads, Groups>: Groups must be 1..6
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define GROUPS 6
#else
#define GROUPS 7
#endif

constexpr tilepipe::SpecializedGroups<32, 32, GROUPS> team{};
