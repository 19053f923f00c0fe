// SPDX-License-Identifier: Apache-2.0
// A matrix transposed tile by tile: two-dimensional tensor copies, edges by the hardware, a swizzle
// against bank conflicts.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace example {

// Rows of 128 bytes, swizzled: eight lanes that read the same columns of eight rows, 16 bytes each,
// fall into different banks.
constexpr int square = 32;
using SquareTile = tilepipe::SwizzledTile<float, square, square>;
struct SquareStage {
  SquareTile x;
};
using Square = tilepipe::TensorSource<SquareTile>;
// With zeros outside: tiles at the right and at the bottom are cut.
using SquareLoader = tilepipe::TileLoader<SquareTile, tilepipe::Mapped, tilepipe::ZeroFill>;
// Of a matrix that can have no tensor map: its rows may start at any element.
using PlainLoader = tilepipe::TileLoader<SquareTile, tilepipe::ZeroFill, tilepipe::Aligned<4>>;

// out[c][r] = in[r][c], out dense. Any extents; blocks of 256 threads, as many as you like.
template <int Stages, class Loader>
__device__ void transpose_tiles(Loader& load, float* out, int rows, int cols) {
  __shared__ tilepipe::Ring<SquareStage, Stages> ring;
  tilepipe::Pipeline pipe{ring, tilepipe::Block<256>{}, load};

  const int across = (cols + square - 1) / square;
  const int tiles = across * ((rows + square - 1) / square);
  const int block = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x);
  const auto row_of = [&](int t) { return (block + t * blocks) / across * square; };
  const auto col_of = [&](int t) { return (block + t * blocks) % across * square; };
  pipe.run(
      block < tiles ? (tiles - block + blocks - 1) / blocks : 0,
      [&](SquareStage& s, int t) { pipe.fill(load, s.x, row_of(t), col_of(t)); },
      [&](const SquareStage& s, int t) {
        // A warp reads four columns of all rows, and writes each as a piece of a row.
        const int r = pipe.rank() % square, c = pipe.rank() / square * 4;
        const auto four = s.x.template as<float4>(r, c);
        const float value[] = {four.x, four.y, four.z, four.w};
        const int row = row_of(t) + r, col = col_of(t) + c;
        for (int k = 0; k < 4; ++k)
          if (row < rows && col + k < cols)
            out[static_cast<long long>(col + k) * rows + row] = value[k];
      });
}

template <int Stages>
__global__ void __launch_bounds__(256)
    transpose(const __grid_constant__ Square in, float* out, int rows, int cols) {
  SquareLoader load{in};
  transpose_tiles<Stages>(load, out, rows, cols);
}
template <int Stages>
__global__ void __launch_bounds__(256)
    transpose_plain(tilepipe::Source<float, 2> in, float* out, int rows, int cols) {
  PlainLoader load{in};
  transpose_tiles<Stages>(load, out, rows, cols);
}

}  // namespace example
