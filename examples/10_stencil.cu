// SPDX-License-Identifier: Apache-2.0
// Stencils of grids of any extents, cut into slabs of any height, against the CPU; prints the
// paths.
#include "10_stencil.cuh"

#include <tilepipe/host/launch.hpp>
#include <tilepipe/host/tensor_map.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"

using namespace example;
using Shape = StencilShape<8, 256, 4, 5>;
using Grid = tilepipe::Source<float, 3>;

// Outside of the grid is zero; what is between the rows is not touched.
static std::vector<float> on_cpu(const std::vector<float>& in, std::vector<float> out,
                                 const Grid& g, StencilWeights w) {
  const auto at = [&](long long z, long long y, long long x) {
    const bool inside =
        z >= 0 && z < g.extent[0] && y >= 0 && y < g.extent[1] && x >= 0 && x < g.extent[2];
    return inside ? in[static_cast<std::size_t>(z * g.stride[0] + y * g.stride[1] + x)] : 0.0f;
  };
  for (long long z = 0; z < g.extent[0]; ++z)
    for (long long y = 0; y < g.extent[1]; ++y)
      for (long long x = 0; x < g.extent[2]; ++x)
        out[static_cast<std::size_t>(z * g.stride[0] + y * g.stride[1] + x)] =
            w.center * at(z, y, x) + w.side * (at(z, y, x - 1) + at(z, y, x + 1) + at(z, y - 1, x) +
                                               at(z, y + 1, x) + at(z - 1, y, x) + at(z + 1, y, x));
  return out;
}

static bool check_grid(int depth, int rows, int cols, int slab) {
  const int pitch = (cols + 3) / 4 * 4;
  // Integers, whose sums are exact in every order.
  const auto in = support::random_integers<float>(std::size_t(depth) * rows * pitch, 1000,
                                                  static_cast<unsigned>(depth + cols));
  const support::Buffer<float> from(in);
  support::Buffer<float> to(in.size());
  to.fill_bytes(0xff);
  const std::vector<float> untouched = to.to_host();
  const Grid grid = Grid::pitched(from.data(), depth, rows, cols, pitch, 1ll * rows * pitch);
  const auto source = tilepipe::host::tensor_source<Shape::Plane>(grid);
  const StencilWeights weights{-6, 1};
  tilepipe::host::prepare(stencil7<Shape>, sizeof(Shape::Ring));
  const dim3 blocks((cols + Shape::cols - 1) / Shape::cols, (rows + Shape::rows - 1) / Shape::rows,
                    (depth + slab - 1) / slab);
  stencil7<Shape>
      <<<blocks, Shape::threads, sizeof(Shape::Ring)>>>(source, to.data(), weights, slab);
  support::check_kernel("stencil7");
  const std::string name = std::to_string(depth) + " x " + std::to_string(rows) + " x " +
                           std::to_string(cols) + ", slabs of " + std::to_string(slab);
  return support::same(name.c_str(), to.to_host(), on_cpu(in, untouched, grid, weights));
}

int main() {
  for (int arch : {75, 80, 90}) support::print_path<Shape::Loader>("plane", arch);
  if (!support::find_device()) return support::skipped;
  std::printf("running code for %d\n", support::running_arch(stencil7<Shape>));
  bool right = true;
  for (const int slab : {1, 7, 64})
    right = check_grid(33, 47, 131, slab) && check_grid(16, 32, 256, slab) && right;
  right = check_grid(1, 1, 1, 8) && check_grid(2, 17, 4, 1) && check_grid(5, 300, 129, 5) && right;
  right = check_grid(100, 100, 600, 50) && right;
  return right ? support::passed : support::failed;
}
