// SPDX-License-Identifier: Apache-2.0
// Launches of the streaming kernels and the check of their results.
#include "kernel.hpp"

#include <algorithm>

namespace bench {

StreamData::StreamData() { fill_random(in, 1); }

StreamData& stream_data() {
  static StreamData data;
  return data;
}

std::string describe(const Grid& grid) {
  if (grid.per_sm) return std::to_string(grid.per_sm) + " blocks/SM";
  return std::to_string(grid.tiles_per_block) + " tiles/block";
}

std::string describe_tile(int floats, int stages) {
  return std::to_string(floats / 256) + " KiB x " + std::to_string(stages);
}

Side stream_side(std::string name, int w, std::function<void(const float*, float*)> launch) {
  return {std::move(name), [launch] { launch(stream_data().in.data(), stream_data().out.data()); },
          [] { stream_data().out.poison(); },
          [w] {
            return count_wrong(stream_data().in.data(), nullptr, stream_data().out.data(),
                               StreamData::count, w);
          }};
}

Side stream_side(const Kernel& kernel, Grid grid, bool named) {
  std::string name = kernel.name;
  if (named)
    name += ", " + describe_tile(kernel.floats, kernel.stages) + ", " +
            std::to_string(kernel.threads) + " threads, " + describe(grid);
  return stream_side(std::move(name), kernel.w, [kernel, grid](const float* in, float* out) {
    int tiles = static_cast<int>(StreamData::count / kernel.floats);
    const int blocks = grid.per_sm ? std::min(tiles, grid.per_sm * device().multiprocessors)
                                   : (tiles + grid.tiles_per_block - 1) / grid.tiles_per_block;
    void* arguments[] = {&in, &out, &tiles};
    check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               kernel.shared_bytes),
          kernel.name.c_str());
    check(cudaLaunchKernel(kernel.function, dim3(blocks), dim3(kernel.threads), arguments,
                           kernel.shared_bytes, nullptr),
          kernel.name.c_str());
  });
}

Kernels select(const Kernels& kernels, int floats, int stages, const std::string& name) {
  Kernels found;
  for (const Kernel& k : kernels)
    if (k.floats == floats && (stages == 0 || k.stages == stages) &&
        k.name.compare(0, name.size(), name) == 0)
      found.push_back(k);
  return found;
}

std::vector<Side> stream_sides(const Kernels& kernels, Grid grid, bool named) {
  std::vector<Side> sides;
  for (const Kernel& k : kernels) sides.push_back(stream_side(k, grid, named));
  return sides;
}

}  // namespace bench
