// SPDX-License-Identifier: Apache-2.0
// A 3-D 7-point stencil: blocks walk along the planes and hold a window of three in shared memory;
// what is outside of the grid arrives as zeros, by the hardware where there are tensor copies.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace example {

inline constexpr int stencil_cols = 128;  // of a block's patch: four for each lane of a warp
inline constexpr int stencil_halo = 4;    // columns beside it: one is used, four keep it aligned

// A block's patch of Rows x stencil_cols cells, and Stages planes of it in shared memory.
template <int Rows_, int Threads_, int Stages_>
struct StencilShape {
  static constexpr int rows = Rows_;
  static constexpr int threads = Threads_;
  static constexpr int stages = Stages_;
  static_assert(threads % 32 == 0 && rows % (threads / 32) == 0, "a warp takes whole rows");
  static_assert(stages >= 4, "three planes are held, and one is on its way");
  using Plane = tilepipe::Tile<float, 1, rows + 2, stencil_cols + 2 * stencil_halo>;
  struct Stage {
    Plane plane;
  };
  using Ring = tilepipe::Ring<Stage, stages>;
  using Source = tilepipe::TensorSource<Plane>;
  using Loader = tilepipe::TileLoader<Plane, tilepipe::Mapped, tilepipe::ZeroFill>;
};

struct StencilWeights {
  float center;
  float side;  // of each of the six neighbours
};

// The stencil of four neighbouring cells of a row, lane by lane of a warp; row and col are the
// first cell's in the plane's tile.
template <class Plane>
__device__ __forceinline__ float4 stencil_cells(const Plane& before, const Plane& plane,
                                                const Plane& after, int row, int col, int lane,
                                                StencilWeights w) {
  const float4 c = plane.template as<float4>(row, col);
  const float4 up = plane.template as<float4>(row - 1, col);
  const float4 down = plane.template as<float4>(row + 1, col);
  const float4 b = before.template as<float4>(row, col);
  const float4 a = after.template as<float4>(row, col);
  float left = __shfl_up_sync(0xffffffffu, c.w, 1);
  float right = __shfl_down_sync(0xffffffffu, c.x, 1);
  if (lane == 0) left = plane(row, col - 1);
  if (lane == 31) right = plane(row, col + 4);
  return {w.center * c.x + w.side * (left + c.y + up.x + down.x + b.x + a.x),
          w.center * c.y + w.side * (c.x + c.z + up.y + down.y + b.y + a.y),
          w.center * c.z + w.side * (c.y + c.w + up.z + down.z + b.z + a.z),
          w.center * c.w + w.side * (c.z + right + up.w + down.w + b.w + a.w)};
}

// out[z][y][x] of the grid `in`, whose rows are a multiple of four cells apart, in `out` as well.
// Block (x, y, z) has patch (y, x) of planes z * slab to (z + 1) * slab - 1. Dynamic shared memory:
// sizeof(Shape::Ring).
template <class Shape>
__global__ void __launch_bounds__(Shape::threads)
    stencil7(const __grid_constant__ typename Shape::Source in, float* out, StencilWeights w,
             int slab) {
  using Plane = typename Shape::Plane;
  extern __shared__ __align__(128) unsigned char stencil_smem[];
  auto& ring = *reinterpret_cast<typename Shape::Ring*>(stencil_smem);
  typename Shape::Loader load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<Shape::threads>{}, load};

  const int depth = static_cast<int>(in.view.extent[0]);
  const int rows = static_cast<int>(in.view.extent[1]), cols = static_cast<int>(in.view.extent[2]);
  const int first_row = static_cast<int>(blockIdx.y) * Shape::rows;
  const int first_col = static_cast<int>(blockIdx.x) * stencil_cols;
  const int begin = static_cast<int>(blockIdx.z) * slab;
  const int end = depth - begin < slab ? depth : begin + slab;

  // Planes begin - 1 to end, each with a frame of halo; the first coordinates may be negative.
  int next = begin - 1;
  const auto fetch = [&] {
    if (next > end) return;
    pipe.fill(load, pipe.producer_acquire().plane, next, first_row - 1, first_col - stencil_halo);
    pipe.producer_commit();
    ++next;
  };
#pragma unroll
  for (int i = 0; i < Shape::stages; ++i) fetch();

  const int lane = pipe.rank() % 32, warp = pipe.rank() / 32;
  const int col = lane * 4, x = first_col + col;
  const Plane* before = &pipe.consumer_wait().plane;
  const Plane* plane = &pipe.consumer_wait().plane;
  for (int z = begin; z < end; ++z) {
    const Plane* after = &pipe.consumer_wait().plane;
#pragma unroll
    for (int r = 0; r < Shape::rows; r += Shape::threads / 32) {
      const int y = first_row + r + warp;
      const float4 v =
          stencil_cells(*before, *plane, *after, r + warp + 1, col + stencil_halo, lane, w);
      if (y >= rows || x >= cols) continue;
      float* to = out + z * in.view.stride[0] + y * in.view.stride[1] + x;
      if (x + 4 <= cols) {
        *reinterpret_cast<float4*>(to) = v;
      } else {
        to[0] = v.x;
        if (x + 1 < cols) to[1] = v.y;
        if (x + 2 < cols) to[2] = v.z;
      }
    }
    pipe.consumer_release();
    fetch();
    before = plane;
    plane = after;
  }
  pipe.consumer_release();
  pipe.consumer_release();
}

}  // namespace example
