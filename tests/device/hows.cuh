// SPDX-License-Identifier: Apache-2.0
// The ways in which a tile can travel on the architecture that this build is for. A new path adds a
// line here.
#pragma once
#include "copy_kernel.cuh"

namespace tilepipe_test {

using tilepipe::Completion;
using tilepipe::Path;
using tilepipe::Via;

template <class Team>
using Unforced = How<Team, Automatic>;
template <class Team>
using UnforcedZeroed = How<Team, Automatic, tilepipe::ZeroFill>;
template <class Team>
using UnforcedGroups = How<Team, By<Completion::groups>>;
template <class Team>
using Registers = How<Team, Automatic, Via<Path::registers>>;
template <class Team>
using CpAsync = How<Team, Automatic, Via<Path::cp_async>>;
template <class Team>
using CpAsyncGroups = How<Team, By<Completion::groups>, Via<Path::cp_async>>;
template <class Team>
using CpAsyncMbarrier = How<Team, By<Completion::mbarrier>, Via<Path::cp_async>>;
template <class Team>
using RegistersGroups = How<Team, By<Completion::groups>, Via<Path::registers>>;
template <class Team>
using RegistersNamed = How<Team, By<Completion::named_barrier>, Via<Path::registers>>;
template <class Team>
using RegistersMbarrier = How<Team, By<Completion::mbarrier>, Via<Path::registers>>;
template <class Team>
using Tensor = How<Team, Automatic, tilepipe::Mapped, Via<Path::tensor>>;
template <class Team>
using UnforcedMapped = How<Team, Automatic, tilepipe::Mapped>;
template <class Team>
using Bulk = How<Team, Automatic, Via<Path::bulk>>;

}  // namespace tilepipe_test

// X(name, How template) for each path and completion of a unified team of several threads: of those
// that take every edge, layout and alignment, and with bulk copies, which do not; of mapped
// sources; then for one thread, and for teams with roles.
#if TILEPIPE_TEST_ARCH >= 90
#define TILEPIPE_TEST_HOWS_90(X) X("bulk-mbarrier", Bulk)
#define TILEPIPE_TEST_MAPPED_HOWS(X) X("tensor-mbarrier", Tensor)
#else
#define TILEPIPE_TEST_HOWS_90(X)
#define TILEPIPE_TEST_MAPPED_HOWS(X)
#endif
#if TILEPIPE_TEST_ARCH >= 80
#define TILEPIPE_TEST_MBARRIER_HOWS(X)       \
  X("registers-mbarrier", RegistersMbarrier) \
  X("cp_async-mbarrier", CpAsyncMbarrier)
#define TILEPIPE_TEST_GROUPS_80(X) X("cp_async-groups", CpAsyncGroups)
#else
#define TILEPIPE_TEST_MBARRIER_HOWS(X)
#define TILEPIPE_TEST_GROUPS_80(X)
#endif
#define TILEPIPE_TEST_GROUPS_HOWS(X) \
  X("registers-groups", RegistersGroups) TILEPIPE_TEST_GROUPS_80(X)
#define TILEPIPE_TEST_EDGED_HOWS(X) TILEPIPE_TEST_GROUPS_HOWS(X) TILEPIPE_TEST_MBARRIER_HOWS(X)
#define TILEPIPE_TEST_HOWS(X) TILEPIPE_TEST_EDGED_HOWS(X) TILEPIPE_TEST_HOWS_90(X)
#define TILEPIPE_TEST_EDGED_ROLES_HOWS(X) \
  X("registers-named_barrier", RegistersNamed) TILEPIPE_TEST_MBARRIER_HOWS(X)
#define TILEPIPE_TEST_ROLES_HOWS(X) TILEPIPE_TEST_EDGED_ROLES_HOWS(X) TILEPIPE_TEST_HOWS_90(X)
