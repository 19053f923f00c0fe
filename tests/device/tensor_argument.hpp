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
  namespace host = tilepipe::host;
  tilepipe::TensorSource<Tile> source{{}, view, 0};
  if (host::is_empty<Tile>(view)) {
    source.map = backend().tensor_map(host::one_zero_request<Tile>(backend().zeros()), false);
    source.mapped = 2;
  } else if (!or_view || host::why_no_tensor_map<Tile>(view).empty()) {
    source.map = backend().tensor_map(host::tensor_map_request<Tile>(view), false);
    source.mapped = 1;
  }
  return argument(source);
}

}  // namespace tilepipe_test
