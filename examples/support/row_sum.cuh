// SPDX-License-Identifier: Apache-2.0
// Sums of rows of a tile in the registers of a warp.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace support {

// A sum of rows of Tile, in float: lane i of the warp holds packs number i, i + 32, ... of `Width`
// bytes, to which the tile's rows are aligned.
template <class Tile, int Width>
class RowSum {
  static constexpr int width = Width / static_cast<int>(sizeof(typename Tile::value_type));
  static constexpr int packs = Tile::cols / width, packs_a_lane = (packs + 31) / 32;

 public:
  // Adds weight times a row of the tile. By all lanes.
  __device__ void add(const Tile& tile, int row, float weight, int lane) {
    using Pack = tilepipe::Pack<typename Tile::value_type, width>;
    for_each_pack(lane, [&](int p, int col) {
      const Pack pack = tile.template as<Pack>(row, col);
#pragma unroll
      for (int e = 0; e < width; ++e) sum_[p][e] += weight * static_cast<float>(pack.element[e]);
    });
  }
  // Writes scale times the sum to `out`, a row of a dense array, and begins again at 0.
  __device__ void take(float* out, float scale, int lane) {
    constexpr int size = width % 4 == 0 ? 4 : width;
    using Pack = tilepipe::Pack<float, size>;
    for_each_pack(lane, [&](int p, int col) {
#pragma unroll
      for (int e = 0; e < width; e += size) {
        Pack pack;
#pragma unroll
        for (int i = 0; i < size; ++i) {
          pack.element[i] = sum_[p][e + i] * scale;
          sum_[p][e + i] = 0;
        }
        *reinterpret_cast<Pack*>(out + col + e) = pack;
      }
    });
  }

 private:
  template <class F>
  static __device__ void for_each_pack(int lane, F&& f) {
#pragma unroll
    for (int p = 0; p < packs_a_lane; ++p)
      if (packs % 32 == 0 || p * 32 + lane < packs) f(p, (p * 32 + lane) * width);
  }

  float sum_[packs_a_lane][width] = {};
};

}  // namespace support
