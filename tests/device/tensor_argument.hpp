// SPDX-License-Identifier: Apache-2.0
// The kernel argument of mapped sources.
#pragma once
#include <tilepipe/core/tensor_map.hpp>
#include <tilepipe/host/tensor_rules.hpp>

#include "support/launch.hpp"

namespace tilepipe_test {

// With a broken rule it throws; with `or_view` there is the view alone then.
template <class Tile>
Argument tensor_argument(const tilepipe::Source<typename Tile::value_type, Tile::rank>& view,
                         bool or_view = false) {
  tilepipe::TensorSource<Tile> source{{}, view, 0};
  if (or_view ? tilepipe::host::why_no_tensor_map<Tile>(view).empty()
              : !tilepipe::host::is_empty<Tile>(view)) {
    source.map = backend().tensor_map(tilepipe::host::tensor_map_request<Tile>(view), false);
    source.mapped = 1;
  }
  return argument(source);
}

}  // namespace tilepipe_test
