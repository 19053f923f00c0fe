// SPDX-License-Identifier: Apache-2.0
// Copies a run of bytes whose length and alignment are known at run time only: head, body, tail.
#pragma once

#include <algorithm>
#include <tilepipe/host/launch.hpp>
#include <tilepipe/tilepipe.cuh>

#include "support/device.hpp"

namespace example {

// A block copies tiles of `bytes` bytes from aligned addresses on, and reads them at the place that
// makes its writes aligned: up to 15 bytes on, and so a tile has 16 bytes of the next one too.
template <int TileBytes, int Stages, class Team_>
struct ByteShape {
  static constexpr int bytes = TileBytes;
  using Team = Team_;
  static constexpr int threads = Team::loading_threads;
  using Tile = tilepipe::Tile<unsigned char, TileBytes + 16>;
  struct Stage {
    Tile x;
  };
  using Ring = tilepipe::Ring<Stage, Stages>;
};

// Bytes shift .. shift + 15 of the 32 bytes of two neighbours.
__device__ inline uint4 bytes_from(uint4 a, uint4 b, unsigned shift) {
  unsigned w[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
  for (int by = 2; by > 0; by /= 2)
#pragma unroll
    for (int i = 0; i < 4 + by; ++i) w[i] = (shift / 4 & by) != 0 ? w[i + by] : w[i];
  const unsigned bits = shift % 4 * 8;
  return {__funnelshift_r(w[0], w[1], bits), __funnelshift_r(w[1], w[2], bits),
          __funnelshift_r(w[2], w[3], bits), __funnelshift_r(w[3], w[4], bits)};
}

// to[i] = from[i] for i < bytes; the runs do not overlap.
template <class Shape>
__global__ void copy_bytes_kernel(unsigned char* to, const unsigned char* from, long long bytes) {
  extern __shared__ __align__(16) unsigned char copy_memory[];
  auto& ring = *reinterpret_cast<typename Shape::Ring*>(copy_memory);
  const auto before_aligned = [](const void* p) {
    return static_cast<unsigned>(-reinterpret_cast<unsigned long long>(p) % 16);
  };
  const unsigned head = before_aligned(from);        // the source is aligned from here on
  const unsigned shift = before_aligned(to + head);  // and `to` so much later
  const long long front = head + shift;              // tiles are written from here on
  const long long tiles =
      bytes < front + Shape::bytes + 16 ? 0 : (bytes - head - 16) / Shape::bytes;

  // What no tile has, 46 bytes more than a tile at most, goes byte by byte, by the whole grid.
  const long long beside = bytes - tiles * Shape::bytes;
  for (long long i = blockIdx.x * 1ll * blockDim.x + threadIdx.x; i < beside;
       i += gridDim.x * 1ll * blockDim.x) {
    const long long at = i < front ? i : i + tiles * Shape::bytes;
    to[at] = from[at];
  }

  tilepipe::TileLoader<typename Shape::Tile> load{from + head};
  tilepipe::Pipeline pipe{ring, typename Shape::Team{}, load};
  const long long mine = (tiles - blockIdx.x + gridDim.x - 1) / gridDim.x;
  const auto at = [&](long long t) { return (blockIdx.x + t * gridDim.x) * Shape::bytes; };
  pipe.run(
      mine, [&](typename Shape::Stage& s, long long t) { pipe.fill(load, s.x, at(t)); },
      [&](const typename Shape::Stage& s, long long t) {
        auto* out = reinterpret_cast<uint4*>(to + front + at(t));
#pragma unroll 1
        for (int i = pipe.rank(); i < Shape::bytes / 16; i += pipe.size()) {
          const uint4 a = s.x.template as<uint4>(0, i * 16);
          out[i] = shift == 0 ? a : bytes_from(a, s.x.template as<uint4>(0, i * 16 + 16), shift);
        }
      });
}

using CopyShape = ByteShape<4096, 2, tilepipe::Block<256>>;

// Any length and any addresses of device memory. A block has two tiles: the hardware then evens out
// what multiprocessors get done. (Blocks that just fill an H200 are 10 % slower.)
template <class Shape = CopyShape>
cudaError_t copy_bytes(void* to, const void* from, long long bytes, cudaStream_t stream = nullptr) {
  constexpr int ring = sizeof(typename Shape::Ring);
  const auto kernel = copy_bytes_kernel<Shape>;
  // Once; a program with several devices does it for each.
  [[maybe_unused]] static const auto prepared =
      tilepipe::host::prepare<typename Shape::Team>(kernel, Shape::threads, ring);
  static const long long full = static_cast<long long>(support::multiprocessors()) *
                                tilepipe::host::blocks_per_sm(kernel, Shape::threads, ring);
  const long long tiles = (bytes + Shape::bytes - 1) / Shape::bytes;
  // What goes byte by byte gets a thread a byte.
  const long long beside = std::min<long long>(bytes, Shape::bytes) + Shape::threads - 1;
  const long long blocks = std::max({std::min(tiles, full), tiles / 2, beside / Shape::threads});
  if (blocks > 0)
    kernel<<<static_cast<unsigned>(blocks), Shape::threads, ring, stream>>>(
        static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes);
  return cudaGetLastError();
}

}  // namespace example
