// SPDX-License-Identifier: Apache-2.0
// Reads without staging: a sum of all words, and a chain of tiles of which each names the next.
#pragma once

namespace baseline {

// Each thread adds what it reads, and writes its sum. words is a multiple of 4.
__global__ void read_direct(const unsigned* in, unsigned* sums, long long words) {
  const auto vectors = reinterpret_cast<const uint4*>(in);
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  const long long first = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned sum = 0;
#pragma unroll 4
  for (long long i = first; i < words / 4; i += step) {
    const uint4 v = vectors[i];
    sum += v.x + v.y + v.z + v.w;
  }
  sums[first] = sum;
}

// A chain of tiles: the state after one whose first word is given, and which tile comes next. Not
// its low bits, which repeat soon.
__device__ __forceinline__ unsigned next_state(unsigned now, unsigned word) {
  return now * 1664525u + word;
}
__device__ __forceinline__ unsigned long long tile_of(unsigned now, unsigned mask) {
  return now >> 8 & mask;
}

// One warp: a tile of 512 bytes is loaded, stored to shared memory and read there before the next
// one is known.
__global__ void chain_by_hand(const unsigned* in, unsigned* last, int steps, unsigned mask) {
  __shared__ uint4 tile[32];
  const int lane = static_cast<int>(threadIdx.x);
  unsigned now = 0;
  for (int i = 0; i < steps; ++i) {
    tile[lane] = reinterpret_cast<const uint4*>(in)[tile_of(now, mask) * 32 + lane];
    __syncwarp();
    now = next_state(now, tile[0].x);
    __syncwarp();
  }
  if (lane == 0) *last = now;
}

// The same chain by one thread, without shared memory.
__global__ void chain_plain(const unsigned* in, unsigned* last, int steps, unsigned mask) {
  unsigned now = 0;
  for (int i = 0; i < steps; ++i) now = next_state(now, in[tile_of(now, mask) * 128]);
  *last = now;
}

}  // namespace baseline
