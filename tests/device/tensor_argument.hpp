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

// With a broken rule it throws.
template <class Tile>
Argument tensor_argument(const tilepipe::Source<typename Tile::value_type, Tile::rank>& view) {
  const bool empty = tilepipe::host::is_empty<Tile>(view);
  const tilepipe::TensorMap map =
      empty ? tilepipe::TensorMap{} : encode_map(tilepipe::host::tensor_map_request<Tile>(view));
  return argument(tilepipe::TensorSource<Tile>{map, view, empty ? 0 : 1});
}

}  // namespace tilepipe_test
