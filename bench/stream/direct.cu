// SPDX-License-Identifier: Apache-2.0
// A sweep of kernels without staging at W64.
#include "stream/direct.cuh"
#include "stream/tables.hpp"

namespace bench {
namespace {

template <int W, int Vectors, int Threads>
void add_grids(std::vector<Side>& to) {
  to.push_back(direct<W, Vectors, Threads>(0));
  to.push_back(direct<W, Vectors, Threads>(2048 / Threads));
  to.push_back(direct<W, Vectors, Threads>(1024 / Threads));
}

}  // namespace

std::vector<Side> direct_sweep_w64() {
  std::vector<Side> sides;
  add_grids<64, 1, 128>(sides);
  add_grids<64, 1, 256>(sides);
  add_grids<64, 1, 512>(sides);
  add_grids<64, 2, 256>(sides);
  add_grids<64, 4, 256>(sides);
  return sides;
}

}  // namespace bench
