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

// What a block does of a share along K: how many steps, and the first of them.
struct Steps {
  int first, count;
};

// Patches as they are, each in steps of `step` along K, which is `depth` long.
template <class Patches>
class Whole {
 public:
  __device__ Whole(const Patches& patches, int depth, int step)
      : patches_(patches), depth_(depth), step_(step) {}
  __device__ int count() const { return patches_.count(); }
  __device__ int step() const { return step_; }
  __device__ auto operator()(int i) const { return patches_(i); }
  // One at least, which is beyond the end where there are none.
  __device__ Steps steps(int) const { return {0, max((depth_ + step_ - 1) / step_, 1)}; }

 private:
  Patches patches_;
  int depth_, step_;
};

// The same of patches and slices of them.
template <class Patches>
class Shares {
 public:
  __device__ Shares(const Patches& patches, int depth, int step, const Split& split)
      : whole_(patches, depth, step), split_(split) {}
  __device__ int count() const {
    return split_.whole + (whole_.count() - split_.whole) * split_.slices;
  }
  __device__ int step() const { return whole_.step(); }

  // Its first element; slice: its number, or negative.
  struct Place {
    int row, col, slice;
  };
  __device__ Place operator()(int i) const {
    const int slice = i - split_.whole;
    const auto at = whole_(slice < 0 ? i : split_.whole + slice / split_.slices);
    return {at.row, at.col, slice};
  }
  // The slices of a patch differ by one at most.
  __device__ Steps steps(int i) const {
    const Steps all = whole_.steps(i);
    const int slice = i - split_.whole;
    if (slice < 0) return all;
    const int n = slice % split_.slices, least = all.count / split_.slices;
    const int more = all.count % split_.slices;
    return {n * least + min(n, more), max(least + (n < more ? 1 : 0), 1)};
  }

 private:
  Whole<Patches> whole_;
  Split split_;
};

// The steps of a block in their order, share after share; the last share again where there is no
// other, so that there is always something to copy ahead.
template <class Shares>
class Walk {
 public:
  __device__ explicit Walk(const Shares& shares) : shares_(shares) { enter(); }

  // The coordinates of the step's tiles: unsigned, so that the compiler sees them not to be
  // negative.
  __device__ unsigned row() const { return row_; }
  __device__ unsigned col() const { return col_; }
  __device__ unsigned along() const { return k_; }

  __device__ void next() {
    k_ += shares_.step();
    if (__builtin_expect(--left_ > 0, 1)) return;
    if (i_ + static_cast<int>(gridDim.x) < shares_.count()) i_ += gridDim.x;
    enter();
  }

 private:
  __device__ void enter() {
    const auto at = shares_(i_);
    const auto steps = shares_.steps(i_);
    row_ = at.row;
    col_ = at.col;
    k_ = steps.first * shares_.step();
    left_ = steps.count;
  }

  Shares shares_;
  int i_ = static_cast<int>(blockIdx.x);
  int row_, col_, k_, left_;
};

}  // namespace support
