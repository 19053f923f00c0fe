// SPDX-License-Identifier: Apache-2.0
// Rows of 2-D tiles with edges and of two tiles in slices, by hand and with tilepipe.
#include "baseline/sliced_cp_async.cuh"
#include "kernel.hpp"
#include "stream/tables.hpp"
#include "stream_shapes.cuh"

namespace bench {
namespace {

using tilepipe::Completion;
using CpAsync = tilepipe::Via<tilepipe::Path::cp_async>;
using Groups = tilepipe::CompleteBy<Completion::groups>;

constexpr int threads = 256;

// The pitch keeps rows 16-byte aligned; both edges cut tiles, the right one within a vector.
constexpr baseline::Matrix odd_matrix{16381, 16381, 16384};

template <class Kernel, class... Arguments>
void launch(Kernel* kernel, int blocks, int shared_bytes, Arguments... arguments) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
        "cudaFuncSetAttribute");
  kernel<<<blocks, threads, shared_bytes>>>(arguments...);
}

Side matrix_side(std::string name, void (*kernel)(const float*, float*, baseline::Matrix), int w,
                 int per_sm, std::size_t shared_bytes) {
  Side side = stream_side(std::move(name), w, [=](const float* in, float* out) {
    launch(kernel, per_sm * device().multiprocessors, static_cast<int>(shared_bytes), in, out,
           odd_matrix);
  });
  side.wrong = [w] {
    return count_wrong_matrix(stream_data().in.data(), stream_data().out.data(), odd_matrix.rows,
                              odd_matrix.cols, odd_matrix.pitch, w);
  };
  return side;
}

template <int W, int TileRows, int Cols, int S>
void add_matrix_row(Rows& rows, int per_sm) {
  const double gigabytes = 2.0 * odd_matrix.rows * odd_matrix.cols * sizeof(float) * 1e-9;
  Row row{"stream_handwritten",
          "2-D, edges, " + std::to_string(TileRows) + " x " + std::to_string(Cols) + " floats x " +
              std::to_string(S) + ", " + std::to_string(per_sm) + " blocks/SM, W" +
              std::to_string(W),
          "GB/s",
          gigabytes,
          "by hand",
          {},
          {}};
  row.ours.push_back(matrix_side("cp_async, groups, Block<256>, ZeroFill",
                                 matrix<W, TileRows, Cols, S, threads, Groups, CpAsync>, W, per_sm,
                                 sizeof(tilepipe::Ring<MatrixStage<TileRows, Cols>, S>)));
  row.peers.push_back(matrix_side("cp.async by groups, predicated edges",
                                  baseline::matrix_groups<W, TileRows, Cols, S, threads>, W, per_sm,
                                  S * TileRows * Cols * sizeof(float)));
  rows.add(std::move(row));
}

// Two sources of 2^27 floats: the halves of the input; the output has as many.
Side sliced_side(std::string name, void (*kernel)(const float*, const float*, float*, int), int w,
                 int n, int per_sm, std::size_t shared_bytes) {
  constexpr long long half = StreamData::count / 2;
  Side side = stream_side(std::move(name), w, [=](const float* in, float* out) {
    launch(kernel, per_sm * device().multiprocessors, static_cast<int>(shared_bytes), in, in + half,
           out, static_cast<int>(half / n));
  });
  side.wrong = [w] {
    const float* in = stream_data().in.data();
    return count_wrong(in, in + half, stream_data().out.data(), half, w);
  };
  return side;
}

template <int W, int N, int S>
void add_sliced_row(Rows& rows, int per_sm) {
  Row row{"stream_handwritten",
          "two tiles in slices, 2 x " + describe_tile(N, S) + ", " + std::to_string(per_sm) +
              " blocks/SM, W" + std::to_string(W),
          "GB/s",
          1.5 * StreamData::count * sizeof(float) * 1e-9,
          "by hand",
          {},
          {}};
  row.ours.push_back(sliced_side("cp_async, groups, Block<256>, slices",
                                 sliced<W, N, S, threads, Groups, CpAsync>, W, N, per_sm,
                                 sizeof(tilepipe::Ring<PairStage<N>, S>)));
  row.peers.push_back(sliced_side("cp.async by groups, slices",
                                  baseline::sliced_groups<W, N, S, threads>, W, N, per_sm,
                                  2 * S * N * sizeof(float)));
  rows.add(std::move(row));
}

}  // namespace

void add_shape_rows(Rows& rows) {
  add_matrix_row<0, 32, 128, 4>(rows, 2);
  add_matrix_row<64, 32, 128, 4>(rows, 2);
  add_sliced_row<0, 4096, 3>(rows, 2);
  add_sliced_row<64, 4096, 3>(rows, 2);
}

}  // namespace bench
