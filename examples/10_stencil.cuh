// SPDX-License-Identifier: Apache-2.0
// A 3-D 7-point stencil: blocks walk along the planes; a warp fetches them, the others hold a
// window of two in shared memory and what they need of the one before in registers. What is outside
// of the grid arrives as zeros, by the hardware where there are tensor copies.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace example {

// A block's patch of Rows x Cols cells, computed by Warps warps, and Stages planes of it in shared
// memory, each with a row above and below. A lane has four neighbours of each of some rows.
template <int Rows, int Cols, int Warps, int Stages>
struct StencilShape {
  static constexpr int rows = Rows, cols = Cols, stages = Stages;
  static constexpr int across = Cols / 128;  // warps side by side
  static constexpr int rows_each = Rows * across / Warps;
  static_assert(Cols % 128 == 0 && Warps % across == 0 && Rows * across % Warps == 0,
                "a warp takes 128 cells of whole rows");
  static_assert(stages >= 3, "two planes are held, and one is on its way");
  static constexpr int threads = (Warps + 1) * 32;  // of a block
  using Team = tilepipe::Specialized<32, Warps * 32>;
  using Plane = tilepipe::Tile<float, 1, rows + 2, cols>;
  struct Stage {
    Plane plane;
  };
  using Ring = tilepipe::Ring<Stage, stages>;
  using Source = tilepipe::TensorSource<Plane>;
  // What was read leaves L2 last, and what is written (__stcs) first: measured, not needed.
  using Loader =
      tilepipe::TileLoader<Plane, tilepipe::Mapped, tilepipe::ZeroFill, tilepipe::EvictLast>;
};

struct StencilWeights {
  float center;
  float side;  // of each of the six neighbours
};

// The stencil of four neighbouring cells c of a row, from the cells on all sides.
__device__ __forceinline__ float4 stencil_cells(float left, float4 c, float right, float4 up,
                                                float4 down, float4 before, float4 after,
                                                StencilWeights w) {
  return {w.center * c.x + w.side * (left + c.y + up.x + down.x + before.x + after.x),
          w.center * c.y + w.side * (c.x + c.z + up.y + down.y + before.y + after.y),
          w.center * c.z + w.side * (c.y + c.w + up.z + down.z + before.z + after.z),
          w.center * c.w + w.side * (c.z + right + up.w + down.w + before.w + after.w)};
}

// out[z][y][x] of the grid `in`, whose rows are a multiple of four cells apart, in `out` as well.
// Block (x, y, z) has patch (y, x) of planes z * slab to (z + 1) * slab - 1. Shape::threads
// threads, dynamic shared memory: sizeof(Shape::Ring).
template <class Shape>
__global__ void __launch_bounds__(Shape::threads)
    stencil7(const __grid_constant__ typename Shape::Source in, float* out, StencilWeights w,
             int slab) {
  using Plane = typename Shape::Plane;
  extern __shared__ __align__(128) unsigned char stencil_smem[];
  auto& ring = *reinterpret_cast<typename Shape::Ring*>(stencil_smem);
  typename Shape::Loader load{in};
  tilepipe::Pipeline pipe{ring, typename Shape::Team{}, load};

  const auto& grid = in.view;
  const int depth = static_cast<int>(grid.extent[0]);
  const int rows = static_cast<int>(grid.extent[1]), cols = static_cast<int>(grid.extent[2]);
  const int first_row = static_cast<int>(blockIdx.y) * Shape::rows;
  const int first_col = static_cast<int>(blockIdx.x) * Shape::cols;
  const int begin = static_cast<int>(blockIdx.z) * slab;
  const int end = depth - begin < slab ? depth : begin + slab;
  if (pipe.is_producer()) {  // planes begin - 1 to end: coordinates may be outside
    for (int z = begin - 1; z <= end; ++z) {
      pipe.fill(load, pipe.producer_acquire().plane, z, first_row - 1, first_col);
      pipe.producer_commit();
    }
    pipe.drain();
    return;
  }

  constexpr int each = Shape::rows_each;
  const int lane = pipe.rank() % 32, warp = pipe.rank() / 32;
  const int row = warp / Shape::across * each;            // the lane's first in the patch
  const int col = warp % Shape::across * 128 + lane * 4;  // and
  const int y = first_row + row, x = first_col + col;     // in the grid
  const long long first = y * grid.stride[1] + x;
  // The cell beside the patch, which the outermost lanes need of each row: a plane ahead.
  const int beside = col == 0 ? -1 : 4;
  const bool outermost = (col == 0 && x > 0) || (col + 4 == Shape::cols && x + 4 < cols);
  const auto fetch_beside = [&](float(&to)[each], int z) {
#pragma unroll
    for (int r = 0; r < each; ++r)
      to[r] = outermost && z < depth && y + r < rows
                  ? grid.data[z * grid.stride[0] + r * grid.stride[1] + first + beside]
                  : 0.0f;
  };
  const auto fetch_cells = [&](float4(&to)[each], const Plane& plane) {
#pragma unroll
    for (int r = 0; r < each; ++r) to[r] = plane.template as<float4>(row + r + 1, col);
  };

  float next[each], side[each];
  float4 before[each], cells[each];
  fetch_beside(next, begin);
  fetch_cells(before, pipe.consumer_wait().plane);
  pipe.consumer_release();
  const Plane* plane = &pipe.consumer_wait().plane;
  fetch_cells(cells, *plane);
  for (int z = begin; z < end; ++z) {
#pragma unroll
    for (int r = 0; r < each; ++r) side[r] = next[r];
    fetch_beside(next, z + 1);
    const Plane& after = pipe.consumer_wait().plane;
    float4 up = plane->template as<float4>(row, col);
#pragma unroll
    for (int r = 0; r < each; ++r) {
      const float4 c = cells[r];
      const float4 down =
          r + 1 < each ? cells[(r + 1) % each] : plane->template as<float4>(row + each + 1, col);
      float left = __shfl_up_sync(0xffffffffu, c.w, 1);
      float right = __shfl_down_sync(0xffffffffu, c.x, 1);
      if (lane == 0) left = col == 0 ? side[r] : (*plane)(row + r + 1, col - 1);
      if (lane == 31) right = col + 4 == Shape::cols ? side[r] : (*plane)(row + r + 1, col + 4);
      cells[r] = after.template as<float4>(row + r + 1, col);
      const float4 v = stencil_cells(left, c, right, up, down, before[r], cells[r], w);
      up = before[r] = c;
      if (y + r >= rows || x >= cols) continue;
      float* to = out + z * grid.stride[0] + r * grid.stride[1] + first;
      if (x + 4 <= cols) {
        __stcs(reinterpret_cast<float4*>(to), v);
      } else {
        to[0] = v.x;
        if (x + 1 < cols) to[1] = v.y;
        if (x + 2 < cols) to[2] = v.z;
      }
    }
    pipe.consumer_release();
    plane = &after;
  }
  pipe.consumer_release();
  pipe.drain();
}

}  // namespace example
