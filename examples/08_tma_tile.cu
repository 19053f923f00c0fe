// SPDX-License-Identifier: Apache-2.0
// Tensor copies of a matrix: with edges, with whole tiles, and where the matrix can have no tensor
// map; each compared with the CPU.
#include "08_tma_tile.cuh"

#include <string>
#include <tilepipe/host/tensor_map.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"

using namespace example;

// The pitch is in elements. A pitch that is no multiple of 16 bytes breaks a rule of tensor maps:
// the reason is printed, and the kernel for the plain view runs.
static bool right(const char* name, int rows, int cols, int pitch) {
  const std::vector<float> in = support::random_floats(std::size_t(rows) * pitch, 8);
  std::vector<float> expected(std::size_t(rows) * cols);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      expected[std::size_t(c) * rows + r] = in[std::size_t(r) * pitch + c];

  const support::Buffer<float> from(in);
  support::Buffer<float> to(expected.size());
  to.fill_bytes(0xff);
  const auto view = tilepipe::Source<float, 2>::pitched(from.data(), rows, cols, pitch);
  std::string why_not;
  const Square source = tilepipe::host::tensor_source<SquareTile>(view, why_not);
  std::printf("%s: %s\n", name, why_not.empty() ? "a tensor map" : why_not.c_str());
  if (why_not.empty())
    transpose<4><<<support::multiprocessors(), 256>>>(source, to.data(), rows, cols);
  else
    transpose_plain<4><<<support::multiprocessors(), 256>>>(view, to.data(), rows, cols);
  support::check_kernel(name);
  return support::same(name, to.to_host(), expected);
}

int main() {
  if (!support::find_device()) return support::skipped;
  const int arch = support::running_arch(transpose<4>);
  support::print_path<SquareLoader>("with a map", arch);
  support::print_path<PlainLoader>("by the plain view", arch);
  bool all = true;
  all = right("whole tiles", 1024, 2048, 2048) && all;
  all = right("edges on both sides", 1000, 777, 780) && all;
  all = right("less than a tile", 5, 7, 8) && all;
  all = right("rows of 777 floats without gaps", 1000, 777, 777) && all;
  return all ? support::passed : support::failed;
}
