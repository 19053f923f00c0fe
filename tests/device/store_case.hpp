// SPDX-License-Identifier: Apache-2.0
// Stores to a destination with a tensor map, as plain data.
#pragma once
#include <vector>

#include "copy_case.hpp"

namespace tilepipe_test {

struct MappedStore {
  CopyCase c;
  // The kernel's first argument: a map of the memory at `data`, or, where it breaks a rule of maps,
  // its view alone.
  Argument (*destination)(unsigned char* data, const Geometry& g);
};
const std::vector<MappedStore>& mapped_stores();
// Those that are loaded by a map too, to the stage from which they are stored.
const std::vector<MappedStore>& mapped_in_place();
// Those that add.
const std::vector<MappedStore>& mapped_adds();

}  // namespace tilepipe_test
