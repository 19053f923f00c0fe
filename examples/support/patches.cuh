// SPDX-License-Identifier: Apache-2.0
// Patches: a matrix cut into pieces for blocks, in an order that suits L2; and a block's walk
// through its own.
#pragma once

#include "device.hpp"
#include "split.hpp"

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

// Patches as they are, each in `steps` steps along K.
template <class Patches>
class Whole {
 public:
  __device__ Whole(const Patches& patches, int steps) : patches_(patches), steps_(steps) {}
  __device__ int count() const { return patches_.count(); }
  // Its first element, and its steps: the first, and how many, one at least, which is beyond the
  // end where there are none.
  struct Share {
    int row, col, first, steps;
  };
  __device__ Share operator()(int i) const {
    const auto at = patches_(i);
    return {at.row, at.col, 0, max(steps_, 1)};
  }

 private:
  Patches patches_;
  int steps_;
};

// The same of patches and slices of them.
template <class Patches>
class Shares {
 public:
  __device__ Shares(const Patches& patches, const Split& split)
      : patches_(patches), split_(split) {}
  __device__ int count() const {
    return split_.whole + (patches_.count() - split_.whole) * split_.slices;
  }
  // slice: its number, or negative.
  struct Share {
    int row, col, first, steps, slice;
  };
  __device__ Share operator()(int i) const {
    const int slice = i - split_.whole;
    const int patch = max(slice, 0) / split_.slices, n = max(slice, 0) - patch * split_.slices;
    const auto at = patches_(min(i, split_.whole) + patch);
    const int first = slice < 0 ? 0 : n * split_.least + min(n, split_.more);
    const int steps = slice < 0 ? split_.steps : split_.least + (n < split_.more ? 1 : 0);
    return {at.row, at.col, first, max(steps, 1), slice};
  }

 private:
  Patches patches_;
  Split split_;
};

// The steps of a block in their order, share after share; the last share again where there is no
// other, so that there is always something to copy ahead.
template <class Shares, int Step>
class Walk {
 public:
  __device__ explicit Walk(const Shares& shares) : shares_(shares) { enter(); }

  // The coordinates of the step's tiles: unsigned, so that the compiler sees them not to be
  // negative.
  __device__ unsigned row() const { return row_; }
  __device__ unsigned col() const { return col_; }
  __device__ unsigned along() const { return k_; }

  __device__ void next() {
    k_ += Step;
    if (--left_ > 0) return;
    if (i_ + static_cast<int>(gridDim.x) < shares_.count()) i_ += gridDim.x;
    enter();
  }

 private:
  __device__ void enter() {
    const auto share = shares_(i_);
    row_ = share.row;
    col_ = share.col;
    k_ = share.first * Step;
    left_ = share.steps;
  }

  Shares shares_;
  int i_ = static_cast<int>(blockIdx.x);
  int row_, col_, k_, left_;
};

}  // namespace support
