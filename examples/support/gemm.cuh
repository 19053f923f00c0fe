// SPDX-License-Identifier: Apache-2.0
// Around the kernel of a GEMM: which of its shapes suits, how many slices along K, how their sums
// are added, how C is written. Shape: with m, n and k of its tiles, threads, Patches and Product.
// Problem: with a, b, c, m, n, k, lda, ldb, ldc, and sums, without which nothing is cut.
#pragma once

#include <cuda_bf16.h>

#include <algorithm>
#include <tilepipe/host/check.hpp>

#include "device.hpp"
#include "mma.cuh"
#include "patches.cuh"

namespace support {

// Of C, m x n, what take() hands over for the patch at (row, col).
template <bool Exact>
struct PatchWriter {
  __nv_bfloat16* c;
  int m, n;
  long long ldc;
  int row, col;
  __device__ __forceinline__ void operator()(int r, int q, uint4 eight) const {
    store_first<Exact>(c + (row + r) * ldc + col + q, eight, row + r < m ? n - col - q : 0);
  }
};

// Adds the sums of each patch that was cut, slice after slice, so that every run gives the same
// bits, and writes them to C. By Product::groups blocks for each of those patches; of the bounds
// the 1 is there for the compiler to keep many loads on their way, not many blocks on a
// multiprocessor.
template <class Shape>
__global__ void __launch_bounds__(Shape::threads, 1)
    add_slices(const float4* sums, const Split split, __nv_bfloat16* c, int m, int n,
               long long ldc) {
  using Product = typename Shape::Product;
  constexpr int of_slice = Product::sums * Shape::threads;
  const int cut = blockIdx.x / Product::groups, rank = threadIdx.x;
  const auto at = typename Shape::Patches(m, n)(split.whole + cut);
  Product(rank).add(sums + 1ll * cut * split.slices * of_slice + rank, split.slices, of_slice,
                    blockIdx.x % Product::groups, PatchWriter<false>{c, m, n, ldc, at.row, at.col});
}

// float4's that sums of slices need, whatever the extents and the shape. The space belongs to one
// product until that is done.
inline constexpr int largest_patch = 128 * 256;
inline std::size_t slices_space() { return multiprocessors() * (largest_patch / 4u); }

// The cheapest split for blocks of which each multiprocessor has one: by nanoseconds on an H200, as
// they were measured with shapes of 64 x 64 to 128 x 256, from which its choices of shape and
// slices for 21 products were at most 3 % slower than the best of them.
template <class Shape, class Problem>
PricedSplit price(const Problem& p) {
  constexpr long long size = Shape::m * Shape::n;
  static_assert(size <= largest_patch, "slices_space() is for patches of at most this size");
  constexpr Costs costs{250 + size * Shape::k / 2621, 1000 + size / 16, 4000, 200, size / 1000};
  return choose_split(typename Shape::Patches(p.m, p.n).count(), (p.k + Shape::k - 1) / Shape::k,
                      multiprocessors(), costs, p.sums != nullptr);
}
inline int blocks_for(const Split& split) { return std::min(split.shares(), multiprocessors()); }

// The number of the cheapest of the shapes.
template <class... Shapes, class Problem>
int cheapest(const Problem& p) {
  const long long costs[] = {price<Shapes>(p).cost...};
  return static_cast<int>(std::min_element(costs, costs + sizeof...(Shapes)) - costs);
}

// Whether all patches and steps are whole, and C aligned to 16 bytes.
template <class Shape, class Problem>
bool whole(const Problem& p) {
  return p.m % Shape::m == 0 && p.n % Shape::n == 0 && p.k % Shape::k == 0 && p.k > 0 &&
         tilepipe::host::alignment_of(p.c, p.ldc) == 16;
}

// Whether the code that the driver picked for a kernel is for `arch` or later, and a block of the
// device can have `bytes` of shared memory.
template <class... Args>
bool suits(void (*kernel)(Args...), int arch, std::size_t bytes) {
  return running_arch(kernel) >= arch && shared_memory_limit() >= bytes;
}

// Bytes that rows of A and columns of B are aligned to, at most 16.
template <class Problem>
int alignment(const Problem& p) {
  return std::min(tilepipe::host::alignment_of(p.a, p.lda, p.k),
                  tilepipe::host::alignment_of(p.b, p.ldb, p.k));
}

// add_slices, where there are any.
template <class Shape, class Problem>
cudaError_t launch_add_slices(const Problem& p, const Split& split, cudaStream_t stream) {
  if (split.cut() > 0)
    add_slices<Shape><<<split.cut() * Shape::Product::groups, Shape::threads, 0, stream>>>(
        p.sums, split, p.c, p.m, p.n, p.ldc);
  return cudaGetLastError();
}

}  // namespace support
