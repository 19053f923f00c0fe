// SPDX-License-Identifier: Apache-2.0
// The kernel argument that holds a source and its tensor map.
#pragma once

#include "source.hpp"
#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

// What cuTensorMapEncodeTiled writes and tensor copies read: opaque. In a kernel's parameters it is
// `const __grid_constant__`, since the copy takes its address.
struct alignas(64) TensorMap {
  unsigned char bytes[128];
};

// A source with its tensor map for tiles of type Tile, made by host::tensor_source<Tile>(view) and
// passed to kernels as `const __grid_constant__ TensorSource<Tile>`. Code below CC 9.0 goes by the
// view.
// Trivially copyable, the same on every target.
template <class Tile>
struct TensorSource {
  TensorMap map;                                       // its box is TensorBoxes<Tile>'s
  Source<typename Tile::value_type, Tile::rank> view;  // elements, slowest dimension first
  // 1: `map` is the view's; 2: an extent is 0, and `map` has one element elsewhere, a zero, so that
  // loads bring zeros, and stores do not use it; 0: there is no map.
  int mapped;
};

TILEPIPE_NAMESPACE_END
