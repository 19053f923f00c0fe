// SPDX-License-Identifier: Apache-2.0
// The kernel argument of mapped sources. The driver's header is included in one file alone.
#pragma once
#include <tilepipe/core/tensor_map.hpp>
#include <tilepipe/host/tensor_rules.hpp>

#include "support/launch.hpp"

namespace tilepipe_test {

// The map that the driver makes; `always`: with the workaround for small tensors. Without a GPU,
// where launches are listed only, a map of zeros.
tilepipe::TensorMap encode_map(const tilepipe::TensorMapRequest& request, bool always = false);

// With a map, if it is asked for and the view has anything to load; with a broken rule it throws.
template <class Tile>
Argument tensor_argument(const tilepipe::Source<typename Tile::value_type, Tile::rank>& view,
                         bool mapped = true) {
  tilepipe::TensorSource<Tile> source{{}, view, 0};
  if (mapped && !tilepipe::host::is_empty<Tile>(view)) {
    source.map = encode_map(tilepipe::host::tensor_map_request<Tile>(view));
    source.mapped = 1;
  }
  return argument(source);
}

}  // namespace tilepipe_test
