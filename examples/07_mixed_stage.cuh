// SPDX-License-Identifier: Apache-2.0
// A stage of four unlike tiles: each has its own element, edges, alignment and path.
#pragma once

#include <tilepipe/tilepipe.cuh>

namespace example {

inline constexpr int mixed_rows = 16;  // rows of a tile
inline constexpr int mixed_cols = 64;  // columns of dense and table
inline constexpr int bias_cols = 24;   // columns of a bias tile; the source may have fewer

using DenseTile = tilepipe::Tile<float, mixed_rows, mixed_cols>;
using TableTile = tilepipe::Tile<short, mixed_rows, mixed_cols>;
using FlagTile = tilepipe::Tile<unsigned char, mixed_rows>;
using BiasTile = tilepipe::PaddedTile<16, float, mixed_rows, bias_cols>;
struct MixedStage {
  DenseTile dense;
  TableTile table;
  FlagTile flag;
  BiasTile bias;
};

// Rows without gaps: the tile is one run of bytes.
using DenseLoader = tilepipe::TileLoader<DenseTile, tilepipe::Packed>;
// Rows that an index names; a row that it does not name is zeros. Rows start at any even address.
using TableLoader =
    tilepipe::TileLoader<TableTile, tilepipe::Gathered, tilepipe::ZeroFill, tilepipe::Aligned<2>>;
// Bytes that start anywhere.
using FlagLoader = tilepipe::TileLoader<FlagTile, tilepipe::AnyAlignment>;
// Columns beyond the source's are not written, and not read below.
using BiasLoader = tilepipe::TileLoader<BiasTile, tilepipe::Skip>;

struct MixedSources {
  const float* dense;         // rows x mixed_cols
  const short* table;         // table_rows x mixed_cols, table_pitch from row to row
  const int* index;           // rows: a row of the table, or -1
  const unsigned char* flag;  // rows, at any address
  const float* bias;          // rows x bias_width, a pitch of bias_cols
  int rows;                   // a multiple of mixed_rows
  int table_rows;
  int table_pitch;
  int bias_width;
};

// out[r][c] = dense[r][c] + table[index[r]][c], plus bias[r][c] where the flag is odd and the bias
// has the column. Blocks of 128 threads.
template <int Stages>
__global__ void mixed_stage(MixedSources in, float* out) {
  __shared__ tilepipe::Ring<MixedStage, Stages> ring;
  DenseLoader dense{in.dense, in.rows, mixed_cols, mixed_cols};
  TableLoader table{in.table, in.table_rows, mixed_cols, in.table_pitch};
  FlagLoader flag{in.flag, in.rows};
  BiasLoader bias{in.bias, in.rows, in.bias_width, bias_cols};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<128>{}, dense, table, flag, bias};

  const int all = in.rows / mixed_rows, step = gridDim.x;
  const int tiles = (all - static_cast<int>(blockIdx.x) + step - 1) / step;
  const auto first_row = [&](int t) {
    return (static_cast<int>(blockIdx.x) + t * step) * mixed_rows;
  };
  pipe.run(
      tiles,
      [&](MixedStage& s, int t) {
        const int row = first_row(t);
        pipe.fill(dense, s.dense, row, 0);
        pipe.fill(
            table, s.table,
            [&](int r) -> long long {
              const int i = in.index[row + r];
              return i < 0 ? tilepipe::absent_row : i;
            },
            0);
        pipe.fill(flag, s.flag, row);
        pipe.fill(bias, s.bias, row, 0);
      },
      [&](const MixedStage& s, int t) {
        pipe.for_each(s.dense, [&](int i, float v) {
          const int r = i / mixed_cols, c = i % mixed_cols;
          float sum = v + s.table(r, c);
          if (s.flag[r] % 2 != 0 && c < in.bias_width) sum += s.bias(r, c);
          out[(first_row(t) + r) * static_cast<long long>(mixed_cols) + c] = sum;
        });
      });
}

}  // namespace example
