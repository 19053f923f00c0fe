// SPDX-License-Identifier: Apache-2.0
// A source of one extent checked for a loader of tiles with rows and columns.
// expect: tilepipe::host::check_source<Loader>(source): the source must have the tile's number of
//   extents
#include <tilepipe/core/loader_traits.hpp>
#include <tilepipe/host/check.hpp>

#if defined(TILEPIPE_FAIL_TWIN)
using Tile = tilepipe::Tile<float, 1024>;
#else
using Tile = tilepipe::Tile<float, 8, 128>;
#endif

void check(const float* data) {
  tilepipe::host::check_source<tilepipe::LoaderTraits<Tile>>(
      tilepipe::Source<float, 1>::dense(data, 5000));
}
