// SPDX-License-Identifier: Apache-2.0
// Pipelines of a warp's and of a thread's own: no barrier of the block anywhere.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace example {

// Every warp walks a row of its own, in stages of its own; the warps of a block never meet.
inline constexpr int row_sum_warps = 4;
using RowPiece = tilepipe::Tile<int, 256>;
struct RowPieceStage {
  RowPiece x;
};

// sums[row] = the sum of a row of `pieces` * 256 elements. Blocks of row_sum_warps * 32 threads.
template <int Stages>
__global__ void row_sums(const int* in, int rows, int pieces, long long* sums) {
  __shared__ tilepipe::Ring<RowPieceStage, Stages> rings[row_sum_warps];
  const int warp = threadIdx.x / 32;

  tilepipe::TileLoader<RowPiece> load{in};
  tilepipe::Pipeline pipe{rings[warp], tilepipe::Warp{}, load};
  for (int row = blockIdx.x * row_sum_warps + warp; row < rows; row += gridDim.x * row_sum_warps) {
    long long sum = 0;
    pipe.run(
        pieces,
        [&](RowPieceStage& s, int t) { pipe.fill(load, s.x, (1ll * row * pieces + t) * 256); },
        [&](const RowPieceStage& s, int) { pipe.for_each(s.x, [&](int, int v) { sum += v; }); });
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
    if (pipe.rank() == 0) sums[row] = sum;
  }
}

// Every thread walks a sequence of its own, whose length its neighbours need not share. The last
// tile may go beyond the end: ZeroFill.
inline constexpr int sequence_threads = 64;
using SequencePiece = tilepipe::Tile<int, 4>;
struct SequenceStage {
  SequencePiece x;
};

// The hash of a sequence after one more element: each step needs the one before.
__host__ __device__ inline unsigned next_hash(unsigned hash, int value) {
  return hash * 16777619u ^ static_cast<unsigned>(value);
}

// hashes[i] is that of elements first[i] .. first[i] + length[i] - 1; first[i] is a multiple of 4.
// Blocks of sequence_threads threads.
template <int Stages>
__global__ void sequence_hashes(const int* in, const long long* first, const int* length,
                                int sequences, unsigned* hashes) {
  __shared__ tilepipe::Ring<SequenceStage, Stages> rings[sequence_threads];
  const int i = blockIdx.x * sequence_threads + threadIdx.x;
  if (i >= sequences) return;  // nobody waits for this thread

  const int n = length[i];
  tilepipe::TileLoader<SequencePiece, tilepipe::ZeroFill> load{in + first[i], n};
  tilepipe::Pipeline pipe{rings[threadIdx.x], tilepipe::Thread{}, load};
  unsigned hash = 2166136261u;
  pipe.run((n + 3) / 4, [&](SequenceStage& s, int t) { pipe.fill(load, s.x, 4 * t); },
           [&](const SequenceStage& s, int t) {
             for (int j = 0; j < 4 && 4 * t + j < n; ++j) hash = next_hash(hash, s.x[j]);
           });
  hashes[i] = hash;
}

}  // namespace example
