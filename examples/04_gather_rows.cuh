// SPDX-License-Identifier: Apache-2.0
// Embedding bag: sums or means of rows that an index names, by warps; a tile of indices runs ahead
// of the rows that it addresses.
#pragma once

#include <algorithm>
#include <tilepipe/host/launch.hpp>
#include <tilepipe/tilepipe.cuh>

#include "support/row_sum.cuh"

namespace example {

enum class Pooling { sum, mean };
// Bag b has the rows index[first[b]] .. index[first[b + 1] - 1] of the table, any number of them.
// An index of -1 names no row: it adds nothing, and a mean does not count it.
template <class T, class Index>
struct Bags {
  const T* table;  // rows x Cols without gaps; its address is a multiple of Shape::RowLoader::width
  long long rows;
  const Index* index;
  const float* weight;      // of each index; null: all are 1
  const long long* first;   // bags + 1
  long long bags, indices;  // indices is first[bags]
  Pooling pooling;
  float* out;  // bags x Cols
};

// Of rows of row_bytes bytes, as many a stage as make 2 KiB; a power of two.
constexpr int rows_a_stage(int row_bytes) {
  int rows = 1;
  while (rows < 16 && rows * row_bytes < 2048) rows *= 2;
  return rows;
}

template <class T_, int Cols, class Index_,
          int Rows = rows_a_stage(Cols* static_cast<int>(sizeof(T_))), int Stages = 3>
struct BagShape {
  using T = T_;
  using Index = Index_;
  static constexpr int warps = 4, threads = warps * 32;
  static constexpr int cols = Cols, rows = Rows, ahead = 32;  // indices of a tile
  static_assert(ahead % Rows == 0, "a tile of indices serves whole stages");
  using RowTile = tilepipe::Tile<T, Rows, Cols>;
  using WeightTile = tilepipe::Tile<float, Rows>;
  using NamedTile = tilepipe::Tile<Index, Rows>;
  using IndexTile = tilepipe::Tile<Index, ahead>;
  struct RowStage {
    RowTile row;
    WeightTile weight;
    NamedTile named;  // what the rows' indices were, for a mean to count
  };
  struct Rings {  // of a warp
    tilepipe::Ring<RowStage, Stages> rows;
    tilepipe::Ring<IndexTile, 2> indices;
  };
  template <class Tile, class... Options>
  using Loader = tilepipe::TileLoader<Tile, tilepipe::ZeroFill, Options...>;
  using RowLoader = Loader<RowTile, tilepipe::Gathered>;
  using WeightLoader = Loader<WeightTile, tilepipe::Aligned<4>>;
  using NamedLoader = Loader<NamedTile, tilepipe::Aligned<sizeof(Index)>>;
  // By registers: a wait for indices is then no wait for rows, as it would be in groups.
  using IndexLoader =
      Loader<IndexTile, tilepipe::Aligned<sizeof(Index)>, tilepipe::Via<tilepipe::Path::registers>>;
};

// Blocks of Shape::threads threads, any number of them. A warp's bags follow each other, and so do
// their indices: it walks those of all its bags in one run.
template <class Shape>
__global__ void __launch_bounds__(Shape::threads)
    embedding_bag(const Bags<typename Shape::T, typename Shape::Index> in) {
  extern __shared__ __align__(16) unsigned char bag_memory[];
  auto& rings = reinterpret_cast<typename Shape::Rings*>(bag_memory)[threadIdx.x / 32];
  const long long warp = blockIdx.x * 1ll * Shape::warps + threadIdx.x / 32;
  const long long warps = gridDim.x * 1ll * Shape::warps;
  long long bag = in.bags * warp / warps;
  const long long end_bag = in.bags * (warp + 1) / warps;
  const long long begin = in.first[bag], end = in.first[end_bag];

  typename Shape::RowLoader load_row{in.table, in.rows, Shape::cols, Shape::cols};
  typename Shape::WeightLoader load_weight{in.weight, end};
  typename Shape::NamedLoader load_named{in.index, end};
  typename Shape::IndexLoader load_index{in.index, end};
  tilepipe::Pipeline rows{rings.rows, tilepipe::Warp{}, load_row, load_weight, load_named};
  tilepipe::Pipeline indices{rings.indices, tilepipe::Warp{}, load_index};
  const auto fetch_indices = [&](long long at) {
    indices.fill(load_index, indices.producer_acquire(), at);
    indices.producer_commit();
  };
  fetch_indices(begin);
  const typename Shape::IndexTile* addresses = nullptr;                   // the loading side's
  support::RowSum<typename Shape::RowTile, Shape::RowLoader::width> sum;  // the computing side's
  int count = 0;
  const auto take = [&] {
    const bool mean = in.pooling == Pooling::mean && count > 1;
    sum.take(in.out + bag++ * Shape::cols, mean ? 1.0f / count : 1.0f, rows.rank());
    count = 0;
  };
  // Where a bag ends is read while the one before it is summed.
  const auto end_of = [&](long long b) { return in.first[b < end_bag ? b + 1 : end_bag]; };
  long long bag_end = end_of(bag), next_end = end_of(bag + 1);
  rows.run((end - begin + Shape::rows - 1) / Shape::rows,
           [&](typename Shape::RowStage& s, long long t) {
             const long long at = begin + t * Shape::rows;
             const int within = static_cast<int>(t * Shape::rows % Shape::ahead);
             if (within == 0) {
               if (t > 0) indices.consumer_release();
               addresses = &indices.consumer_wait();
               fetch_indices(at + Shape::ahead);
             }
             const auto row_of = [&](int r) -> long long {
               return at + r < end ? static_cast<long long>((*addresses)[within + r])
                                   : tilepipe::absent_row;
             };
             rows.fill(load_row, s.row, row_of, 0);
             if (in.weight != nullptr) rows.fill(load_weight, s.weight, at);
             if (in.pooling == Pooling::mean) rows.fill(load_named, s.named, at);
           },
           [&](const typename Shape::RowStage& s, long long t) {
#pragma unroll
             for (int r = 0; r < Shape::rows; ++r) {
               while (begin + t * Shape::rows + r == bag_end && bag < end_bag) {
                 take();
                 bag_end = next_end;
                 next_end = end_of(bag + 1);
               }
               sum.add(s.row, r, in.weight != nullptr ? s.weight[r] : 1.0f, rows.rank());
               if (in.pooling == Pooling::mean) count += s.named[r] >= 0 ? 1 : 0;
             }
           });
  while (bag < end_bag) take();
  indices.drain();
}

// A warp gets a bag, or more where they are small. (Many small blocks: the hardware then evens out
// what multiprocessors get done, which a grid that just fills them does not, at a loss of 3 %.)
template <class Shape>
cudaError_t pool_bags(const Bags<typename Shape::T, typename Shape::Index>& in,
                      cudaStream_t stream = nullptr) {
  constexpr int bytes = Shape::warps * static_cast<int>(sizeof(typename Shape::Rings));
  // Once; a program with several devices does it for each.
  [[maybe_unused]] static const auto prepared =
      tilepipe::host::prepare<tilepipe::Warp>(embedding_bag<Shape>, Shape::threads, bytes);
  const long long warps = std::min(in.bags, in.indices / Shape::ahead + 1);
  const auto blocks = static_cast<unsigned>((warps + Shape::warps - 1) / Shape::warps);
  if (blocks > 0) embedding_bag<Shape><<<blocks, Shape::threads, bytes, stream>>>(in);
  return cudaGetLastError();
}

}  // namespace example
