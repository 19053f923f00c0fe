// SPDX-License-Identifier: Apache-2.0
// Turns of a group that is alone.
// expect: tilepipe::SpecializedTurns<Producers, GroupThreads, Groups>: Groups must be 2..6
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define GROUPS 2
#else
#define GROUPS 1
#endif

__global__ void kernel() { const tilepipe::SpecializedTurns<32, 32, GROUPS> team(3); }
