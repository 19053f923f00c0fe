// SPDX-License-Identifier: Apache-2.0
// A source of doubles checked for a loader of floats.
// expect: tilepipe::host::check_source<Loader>(source): the source's elements must be those of the
//   tile
#include <tilepipe/core/loader_traits.hpp>
#include <tilepipe/host/check.hpp>

#if defined(TILEPIPE_FAIL_TWIN)
using Element = float;
#else
using Element = double;
#endif

using Loader = tilepipe::LoaderTraits<tilepipe::Tile<float, 1024>>;

void check(const Element* data) {
  tilepipe::host::check_source<Loader>(tilepipe::Source<Element, 1>::dense(data, 5000));
}
