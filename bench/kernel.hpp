// SPDX-License-Identifier: Apache-2.0
// Launch records of the streaming kernels, and the sides of a row made from them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/device.hpp"
#include "support/measure.hpp"

namespace bench {

// A kernel (const float* in, float* out, int tiles) of one configuration.
struct Kernel {
  const void* function;
  std::string name;  // path, completion and team; or what it is by hand
  int w;
  int floats;  // a tile
  int stages;
  int threads;
  int shared_bytes;  // dynamic
};
using Kernels = std::vector<Kernel>;

using KernelPointer = void (*)(const float*, float*, int);

inline Kernel kernel(KernelPointer function, std::string name, int w, int floats, int stages,
                     int threads, std::size_t shared_bytes) {
  return {reinterpret_cast<const void*>(function), std::move(name), w, floats, stages, threads,
          static_cast<int>(shared_bytes)};
}

// 2^28 floats in and out, 1 GiB each, shared by all rows of a program.
struct StreamData {
  static constexpr long long count = 1ll << 28;
  static constexpr double gigabytes = 2.0 * count * sizeof(float) * 1e-9;
  Buffer in{count};
  Buffer out{count};
  StreamData();
};
StreamData& stream_data();

// How many blocks: a number for each multiprocessor, or so many tiles for each block.
struct Grid {
  int per_sm = 0;
  int tiles_per_block = 0;
};
inline Grid per_sm(int blocks) { return {blocks, 0}; }
inline Grid tiles_per_block(int tiles) { return {0, tiles}; }

std::string describe(const Grid& grid);
std::string describe_tile(int floats, int stages);

// `named` adds tile, stages and grid to the side's name, for rows whose sides differ in them.
Side stream_side(const Kernel& kernel, Grid grid, bool named = false);
Side stream_side(std::string name, int w, std::function<void(const float*, float*)> launch);

// Those of `kernels` with this tile and number of stages (0: any), whose name begins with `name`.
Kernels select(const Kernels& kernels, int floats, int stages, const std::string& name = "");

std::vector<Side> stream_sides(const Kernels& kernels, Grid grid, bool named = false);

}  // namespace bench
