// SPDX-License-Identifier: Apache-2.0
// Patches: a matrix cut into pieces for blocks, in an order that suits L2.
#pragma once

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

}  // namespace support
