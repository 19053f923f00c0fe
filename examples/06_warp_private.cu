// SPDX-License-Identifier: Apache-2.0
// Warp and thread scope: row sums by warps, hashes by threads, no block barrier.
#include <vector>

#include "06_warp_private.cuh"
#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"

using namespace example;

static bool check_row_sums() {
  constexpr int rows = 1001, pieces = 9, columns = pieces * RowPiece::size;
  const std::vector<int> in =
      support::random_integers<int>(static_cast<std::size_t>(rows) * columns, 1 << 30, 6);
  std::vector<long long> expected(rows);
  for (int row = 0; row < rows; ++row)
    for (int c = 0; c < columns; ++c)
      expected[row] += in[static_cast<std::size_t>(row) * columns + c];

  const support::Buffer<int> from(in);
  support::Buffer<long long> to(rows);
  to.fill_bytes(0xff);
  support::print_path<tilepipe::TileLoader<RowPiece>>("a warp's loader",
                                                      support::running_arch(row_sums<3>));
  row_sums<3><<<64, row_sum_warps * 32>>>(from.data(), rows, pieces, to.data());
  support::check_kernel("row_sums");
  return support::same("row sums by warps", to.to_host(), expected);
}

static bool check_sequence_hashes() {
  constexpr int sequences = 5000;
  support::Random random(60);
  std::vector<long long> first(sequences);
  std::vector<int> length(sequences);
  long long end = 0;
  for (int i = 0; i < sequences; ++i) {
    first[i] = end;
    length[i] = random.below(200);
    end += (length[i] + 3) / 4 * 4;
  }
  const std::vector<int> in =
      support::random_integers<int>(static_cast<std::size_t>(end), 1 << 30, 61);
  std::vector<unsigned> expected(sequences);
  for (int i = 0; i < sequences; ++i) {
    expected[i] = 2166136261u;
    for (int j = 0; j < length[i]; ++j) expected[i] = next_hash(expected[i], in[first[i] + j]);
  }

  const support::Buffer<int> from(in), lengths(length);
  const support::Buffer<long long> firsts(first);
  support::Buffer<unsigned> to(sequences);
  to.fill_bytes(0xff);
  support::print_path<tilepipe::TileLoader<SequencePiece, tilepipe::ZeroFill>>(
      "a thread's loader", support::running_arch(sequence_hashes<4>));
  constexpr int blocks = (sequences + sequence_threads - 1) / sequence_threads;
  sequence_hashes<4><<<blocks, sequence_threads>>>(from.data(), firsts.data(), lengths.data(),
                                                   sequences, to.data());
  support::check_kernel("sequence_hashes");
  return support::same("hashes by threads", to.to_host(), expected);
}

int main() {
  if (!support::find_device()) return support::skipped;
  const bool sums = check_row_sums();
  const bool hashes = check_sequence_hashes();
  return sums && hashes ? support::passed : support::failed;
}
