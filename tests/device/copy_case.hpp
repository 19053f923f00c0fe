// SPDX-License-Identifier: Apache-2.0
// A copy test as plain data: which kernel, what it was instantiated with, and how it is launched.
// No CUDA, no Catch2.
#pragma once
#include <string>
#include <vector>

#include "support/launch.hpp"
#include "support/pattern.hpp"

namespace tilepipe_test {

// One warp of the block, or one lane of it, comes late at chosen tiles.
struct Delay {
  int warp = -1;       // of the block; -1: nobody
  int lane = -1;       // -1: the whole warp
  int every = 1;       // at tiles 0, every, 2 * every, ...
  int clocks = 20000;  // about 10 microseconds
};

// The kernel's argument: where the tiles lie, and how often it runs. Elements; slowest dimension
// first, a tensor of fewer dimensions has extent 1 in front.
struct Geometry {
  long long extent[3] = {1, 1, 0};  // of the source view
  long long first[3] = {0, 0, 0};   // where tile 0 starts
  long long row_pitch = 0;
  long long slice_pitch = 0;
  long long across = 1ll << 40;  // tiles in a row of tiles
  long long down = 1;            // rows of tiles in a slice
  long long tiles = 0;           // of each team, each pass
  int passes = 1;
  int drain = 0;        // between the passes; of drop_filled: what is left open before it
  int stop_after = -1;  // tiles computed before compute says stop; -1: it never does
  Delay delay;
};

enum class EdgeKind { exact, zero_fill, skip };

struct CopyCase {
  std::string name;
  const void* kernel = nullptr;
  int element_bytes = 0;
  int element_align = 0;
  int rank = 1;
  int extent[3] = {1, 1, 1};
  EdgeKind edge = EdgeKind::exact;
  int promise = 0;        // bytes: base, pitch and start of each tile are multiples
  int pitch_promise = 0;  // bytes: base and pitches alone, where that is more
  int stages = 0;
  int threads = 0;         // of a block
  int teams = 1;           // in a block
  int tiles_per_step = 1;  // tiles that one turn of the loop brings
  bool spaced =
      false;  // several tiles a step and so several stages or parts: stages are not reported
  std::size_t shared_bytes = 0;
  // Of kernels of mapped sources: their last argument, for a source at that address.
  Argument (*tensor_source)(const Geometry&, DeviceAddress) = nullptr;

  int elements() const { return extent[0] * extent[1] * extent[2]; }
};

// What a kernel reports beside its output: one int each, then a stage index for each tile.
enum ReportWord { report_path, report_completion, report_faults, report_words };

// All cases whose name starts with `group`/, in the order of their definition.
std::vector<CopyCase> copy_cases(const std::string& group);
void add_copy_case(const CopyCase& added);

}  // namespace tilepipe_test
