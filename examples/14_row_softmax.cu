// SPDX-License-Identifier: Apache-2.0
// Softmax and RMS norm of rows of any length up to what shared memory holds, at any address,
// checked against the CPU in double.
#include "14_row_softmax.cuh"

#include <algorithm>
#include <cmath>
#include <tilepipe/host/launch.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/references.hpp"
#include "support/report.cuh"

using namespace example;

namespace {

struct Shape {
  int rows, cols;
  int in_pitch, out_pitch;
  int offset;  // of both matrices, in elements past a multiple of 16 bytes
};

// The kernel for rows of up to Capacity elements. False, and a line that says so, where a block has
// not that much shared memory.
template <class Norm, class Alignment, int Capacity, int Threads, int Stages, int Slots>
bool launch(const RowMatrices& m) {
  const auto kernel = normalize_rows<Norm, Capacity, Threads, Stages, Slots, Alignment>;
  constexpr std::size_t bytes = sizeof(RowShared<Capacity, Stages, Slots>);
  if (bytes > support::shared_memory_limit()) {
    std::printf("rows of %d need %zu B of shared memory, and a block has %zu: left out\n", m.cols,
                bytes, support::shared_memory_limit());
    return false;
  }
  tilepipe::host::prepare(kernel, static_cast<long long>(bytes));
  const long long blocks = (m.rows + m.rows_per_block - 1) / m.rows_per_block;
  kernel<<<static_cast<unsigned>(blocks), Threads, bytes>>>(m);
  support::check_kernel("normalize_rows");
  return true;
}
template <class Norm, class Alignment>
bool launch(const RowMatrices& m) {
  if (m.cols <= 1024) return launch<Norm, Alignment, 1024, 128, 2, 2>(m);
  if (m.cols <= 8192) return launch<Norm, Alignment, 8192, 256, 2, 2>(m);
  return launch<Norm, Alignment, 57344, 1024, 1, 1>(m);  // of 227 KiB
}
template <class Norm>
bool launch(const RowMatrices& m, bool aligned) {
  return aligned ? launch<Norm, tilepipe::Aligned<16>>(m) : launch<Norm, tilepipe::AnyAlignment>(m);
}

template <class Norm>
bool run(const char* name, const Shape& s) {
  constexpr bool softmax = tilepipe::is_same<Norm, Softmax>;
  constexpr float epsilon = 1e-5f;
  support::Random random(static_cast<std::uint64_t>(s.cols));
  const auto bf16 = [&](float scale) { return support::to_bf16(scale * random.symmetric()); };
  const std::size_t in_size = std::size_t(s.rows) * s.in_pitch + s.offset;
  const std::size_t out_size = std::size_t(s.rows) * s.out_pitch + s.offset;
  std::vector<std::uint16_t> in(in_size), weight(s.cols);
  for (auto& v : in) v = bf16(8);
  for (auto& v : weight) v = bf16(1);
  const support::Buffer<std::uint16_t> from(in), weights(weight);
  support::Buffer<std::uint16_t> to(out_size);
  to.fill_bytes(0x5c);

  const auto device = [](const std::uint16_t* p) {
    return reinterpret_cast<const __nv_bfloat16*>(p);
  };
  const RowMatrices m{device(from.data() + s.offset),
                      device(weights.data()),
                      reinterpret_cast<__nv_bfloat16*>(to.data() + s.offset),
                      s.rows,
                      s.cols,
                      s.in_pitch,
                      s.out_pitch,
                      epsilon,
                      2};
  const bool aligned = s.offset % 8 == 0 && s.in_pitch % 8 == 0 && s.out_pitch % 8 == 0;
  if (!launch<Norm>(m, aligned)) return true;

  const std::vector<std::uint16_t> got = to.to_host();
  std::vector<char> expected(out_size, 0);  // whether the cell has a result
  double worst = 0;
  for (int r = 0; r < s.rows; ++r) {
    const std::uint16_t* x = &in[std::size_t(r) * s.in_pitch + s.offset];
    const auto value = [&](int i) { return double{support::from_bf16(x[i])}; };
    double top = -INFINITY, sum = 0;
    for (int i = 0; i < s.cols; ++i) top = std::max(top, value(i));
    for (int i = 0; i < s.cols; ++i)
      sum += softmax ? std::exp(value(i) - top) : value(i) * value(i);
    for (int i = 0; i < s.cols; ++i) {
      const std::size_t at = std::size_t(r) * s.out_pitch + s.offset + i;
      const double right = softmax ? std::exp(value(i) - top) / sum
                                   : value(i) * support::from_bf16(weight[i]) /
                                         std::sqrt(sum / s.cols + double{epsilon});
      const double error = std::abs(support::from_bf16(got[at]) - right);
      worst = std::max(worst, error / std::max(std::abs(right), 1e-30));
      if (std::isnan(error)) worst = INFINITY;
      expected[at] = 1;
    }
  }
  std::size_t touched = 0;
  for (std::size_t i = 0; i < out_size; ++i) touched += expected[i] == 0 && got[i] != 0x5c5c;
  // Half a unit in the last place of bfloat16 is at most 2^-8 of a value; the rest is what float
  // loses.
  const bool right = worst <= 0x1p-8 * 1.01 && touched == 0;
  std::printf("%s, %d x %d, %s: %s, largest relative error %.5f, %zu cells outside touched\n", name,
              s.rows, s.cols, aligned ? "aligned" : "any alignment", right ? "right" : "WRONG",
              worst, touched);
  return right;
}

}  // namespace

int main() {
  using Load = tilepipe::TileLoader<RowTile<8192>, tilepipe::Skip>;
  using Store = tilepipe::TileStorer<RowTile<8192>, tilepipe::Skip>;
  for (const int arch : {75, 80, 90}) {
    support::print_path<Load>("rows in, unless demanded", arch);
    support::print_path<Store>("rows out", arch);
  }
  if (!support::find_device()) return support::skipped;
  bool right = true;
  for (const Shape& s :
       {Shape{700, 8192, 8192, 8192, 0}, Shape{300, 1000, 1000, 1008, 0},
        Shape{41, 8190, 8192, 8200, 8}, Shape{5, 57344, 57344, 57344, 0}, Shape{9, 1, 3, 1, 1},
        Shape{300, 1023, 1023, 1025, 3}, Shape{7, 50001, 50001, 50003, 5}}) {
    right = run<Softmax>("softmax", s) && right;
    right = run<RmsNorm>("RMS norm", s) && right;
  }
  return right ? support::passed : support::failed;
}
