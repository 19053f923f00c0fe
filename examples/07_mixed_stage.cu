// SPDX-License-Identifier: Apache-2.0
// Four unlike tiles in one stage, each by its own path; prints the paths and their reasons.
#include <vector>

#include "07_mixed_stage.cuh"
#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"

using namespace example;

static void print_paths(int arch) {
  support::print_path<DenseLoader>("dense", arch);
  support::print_path<TableLoader>("table", arch);
  support::print_path<FlagLoader>("flag", arch);
  support::print_path<BiasLoader>("bias", arch);
}

int main() {
  for (int arch : {75, 80, 90}) print_paths(arch);
  if (!support::find_device()) return support::skipped;
  constexpr int rows = 5000 * mixed_rows, table_rows = 300, table_pitch = 67, bias_width = 21;
  constexpr int flag_start = 3;  // the flags begin at an odd address

  // Values whose sums are exact, so that every order of adding gives the same.
  const auto dense = support::random_integers<float>(std::size_t{rows} * mixed_cols, 1000, 70);
  const auto table =
      support::random_integers<short>(std::size_t{table_rows} * table_pitch, 30000, 71);
  const auto flags = support::random_integers<unsigned char>(rows + flag_start, 100, 72);
  const auto bias = support::random_integers<float>(std::size_t{rows} * bias_cols, 1000, 73);
  support::Random random(74);
  std::vector<int> index(rows);
  for (int& i : index) i = random.below(table_rows + 20) - 20;

  std::vector<float> expected(dense);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < mixed_cols; ++c) {
      float& sum = expected[std::size_t(r) * mixed_cols + c];
      if (index[r] >= 0) sum += table[std::size_t(index[r]) * table_pitch + c];
      if (flags[r + flag_start] % 2 != 0 && c < bias_width)
        sum += bias[std::size_t(r) * bias_cols + c];
    }

  const support::Buffer<float> dense_buffer(dense), bias_buffer(bias);
  const support::Buffer<short> table_buffer(table);
  const support::Buffer<unsigned char> flag_buffer(flags);
  const support::Buffer<int> index_buffer(index);
  support::Buffer<float> to(dense.size());
  to.fill_bytes(0xff);
  const MixedSources sources{dense_buffer.data(), table_buffer.data(),
                             index_buffer.data(), flag_buffer.data() + flag_start,
                             bias_buffer.data(),  rows,
                             table_rows,          table_pitch,
                             bias_width};
  const int arch = support::running_arch(mixed_stage<3>);
  std::printf("running code for %d\n", arch);
  mixed_stage<3><<<support::multiprocessors(), 128>>>(sources, to.data());
  support::check_kernel("mixed_stage");
  const bool right = support::same("mixed stage", to.to_host(), expected);
  return right ? support::passed : support::failed;
}
