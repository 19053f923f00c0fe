// SPDX-License-Identifier: Apache-2.0
// Launches a copy case and compares every byte of its output with a plain loop's.
#pragma once
#include <string>

#include "copy_case.hpp"

namespace tilepipe_test {

// How a case is launched. What is not said is derived so that all promises hold.
struct Scenario {
  Geometry geometry;  // extents and first tile; pitches of 0 are derived
  int grid = 2;
  Dim block = {0, 1, 1};  // x = 0: the case's threads in one dimension
  int source_offset = 0;  // bytes past a multiple of 256
  int output_offset = 0;
  bool special_floats = false;  // the source holds NaN payloads, infinities, -0 and denormals
  int launches = 2;             // each is compared: so launches agree bit for bit
};

// A source that all tiles of the launch fill exactly.
Scenario whole_tiles(const CopyCase& c, long long tiles, int passes = 1);
// A source that cuts tiles on both sides: negative first tiles, extents that are no multiples of
// the tile's.
Scenario cut_tiles(const CopyCase& c, long long tiles, int passes = 1);

// Empty if all is right, else the first difference, with the scenario.
std::string run_copy(const CopyCase& c, const Scenario& s);

// The path that ran, by name, as the kernel of the last run_copy reported it.
struct Reported {
  int path = -1;
  int completion = -1;
};
Reported last_report();

}  // namespace tilepipe_test
