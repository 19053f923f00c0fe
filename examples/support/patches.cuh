// SPDX-License-Identifier: Apache-2.0
// Patches: a matrix cut into pieces for blocks, in an order that suits L2; and a block's walk
// through its own.
#pragma once

#include "device.hpp"

namespace support {

// Rows x Cols pieces of a matrix of m x n, numbered so that those with near numbers, which are
// computed at the same time, lie in few rows and columns, and share what they read.
template <int Rows, int Cols>
class Patches {
  static constexpr int group = 16;  // rows of patches that are numbered column by column

 public:
  __host__ __device__ Patches(int m, int n)
      : rows_((m + Rows - 1) / Rows), cols_((n + Cols - 1) / Cols) {}
  __host__ __device__ int count() const { return rows_ * cols_; }
  // Of blocks that share them out, one on each multiprocessor: the number, and how many patches the
  // busiest has.
  int blocks() const { return count() < multiprocessors() ? count() : multiprocessors(); }
  int rounds() const { return (count() + multiprocessors() - 1) / multiprocessors(); }

  // Of a patch's first element.
  struct Place {
    int row, col;
  };
  __device__ Place operator()(int patch) const {
    const int first = patch / (group * cols_) * group, height = min(group, rows_ - first);
    const int within = patch - first * cols_;
    return {(first + within % height) * Rows, within / height * Cols};
  }

 private:
  int rows_, cols_;
};

// The steps of a block in their order: each patch in steps of `step` along K, of which there are
// `depth`, patch after patch; the last patch again where there is no other, so that there is always
// something to copy ahead.
template <class Patches>
struct Walk {
  Patches patches;
  int depth, step;
  int patch = static_cast<int>(blockIdx.x), k = 0;
  typename Patches::Place at = patches(patch);

  // The coordinates of the step's tiles: unsigned, so that the compiler sees them not to be
  // negative.
  __device__ unsigned row() const { return at.row; }
  __device__ unsigned col() const { return at.col; }
  __device__ unsigned along() const { return k; }

  __device__ void next() {
    if ((k += step) < depth) return;
    k = 0;
    if (patch + static_cast<int>(gridDim.x) < patches.count()) patch += gridDim.x;
    at = patches(patch);
  }
};

}  // namespace support
