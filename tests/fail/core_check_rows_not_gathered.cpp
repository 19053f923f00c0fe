// SPDX-License-Identifier: Apache-2.0
// Indices for a loader whose rows are not named by an index.
// expect: tilepipe::host::check_rows<Loader>(index, count, rows): indices are for a Gathered loader
#include <tilepipe/core/loader_traits.hpp>
#include <tilepipe/host/check.hpp>

#ifdef TILEPIPE_FAIL_TWIN
using Options = tilepipe::Gathered;
#else
using Options = tilepipe::Packed;
#endif
using Loader = tilepipe::LoaderTraits<tilepipe::Tile<float, 8, 32>, Options>;

void check(const int* index) { tilepipe::host::check_rows<Loader>(index, 8, 100); }
