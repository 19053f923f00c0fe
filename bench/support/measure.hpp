// SPDX-License-Identifier: Apache-2.0
// Rows of measurements: every side of a row is timed once a round, and the rounds alternate.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

// One kernel in one configuration. `wrong` counts the wrong results after a launch into poisoned
// output. A side that cannot run here has a published figure in place of a launch.
struct Side {
  std::string config;
  std::function<void()> launch;
  std::function<void()> poison;
  std::function<unsigned()> wrong;
  double figure = 0;
};

// Of several sides of ours, or of theirs, the best by its median counts, or, of ours, the slowest
// where a row is about the worst case; all are recorded.
struct Row {
  std::string bench;   // the name that a bound is attached to
  std::string config;  // what both sides share
  std::string unit;    // "GB/s", "TFLOP/s", "tiles/us"
  double amount;       // what one launch does: divided by the seconds it gives the unit
  std::string peer;
  std::vector<Side> ours;
  std::vector<Side> peers;
  std::string data = "beyond L2";
  bool flush = false;    // write over L2 before each sample
  bool slowest = false;  // of ours the slowest counts
};

class Rows {
 public:
  void add(Row row);

  // Registers each row with Google Benchmark and runs those its filter lets through. Beside its
  // options: --quick (fewer rounds, marked so) and --out=FILE (a JSON line a row, appended).
  // Returns 0 if every result was right.
  int run(int argc, char** argv);

 private:
  std::vector<Row> rows_;
};

}  // namespace bench
