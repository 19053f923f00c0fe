// SPDX-License-Identifier: Apache-2.0
// How fast is the stencil of example 10, against a copy of as many bytes and the best plain kernel
// of a sweep?
#include <tilepipe/host/launch.hpp>
#include <tilepipe/host/tensor_map.hpp>

#include "10_stencil.cuh"
#include "baseline/stencil_plain.cuh"
#include "support/device.hpp"
#include "support/measure.hpp"

namespace bench {
namespace {

constexpr int extent = 512;
constexpr std::size_t cells = std::size_t{extent} * extent * extent;
constexpr float center = -6, side = 1;

struct Data {
  Buffer in{cells};
  Buffer out{cells};
  Data() { fill_random(in, 3); }
};
Data& data() {
  static Data d;
  return d;
}

// Cell by cell; the order of the sum differs by rounding alone.
__global__ void compare(const float* in, const float* out, unsigned* wrong) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const int x = static_cast<int>(i % extent), y = static_cast<int>(i / extent % extent);
  const int z = static_cast<int>(i / extent / extent);
  double sum = 0;
  if (x > 0) sum += in[i - 1];
  if (x + 1 < extent) sum += in[i + 1];
  if (y > 0) sum += in[i - extent];
  if (y + 1 < extent) sum += in[i + extent];
  if (z > 0) sum += in[i - extent * extent];
  if (z + 1 < extent) sum += in[i + extent * extent];
  const double expected = center * static_cast<double>(in[i]) + side * sum;
  if (!(fabs(out[i] - expected) <= 1e-5)) atomicAdd(wrong, 1u);
}
unsigned count_wrong_cells() {
  unsigned* wrong = nullptr;
  unsigned on_host = 0;
  check(cudaMalloc(&wrong, sizeof *wrong), "cudaMalloc");
  check(cudaMemset(wrong, 0, sizeof *wrong), "cudaMemset");
  compare<<<cells / 256, 256>>>(data().in.data(), data().out.data(), wrong);
  check(cudaMemcpy(&on_host, wrong, sizeof on_host, cudaMemcpyDeviceToHost), "compare");
  check(cudaFree(wrong), "cudaFree");
  return on_host;
}

Side stencil_side(std::string config, std::function<void()> launch) {
  return {std::move(config), std::move(launch), [] { data().out.poison(); }, count_wrong_cells};
}

// The source as the kernel takes it; the kernel is prepared on the way.
template <class Shape>
const typename Shape::Source& prepared_source() {
  static const auto source = [] {
    tilepipe::host::prepare(example::stencil7<Shape>, sizeof(typename Shape::Ring));
    return tilepipe::host::tensor_source<typename Shape::Plane>(tilepipe::Source<float, 3>::pitched(
        data().in.data(), extent, extent, extent, extent, extent * extent));
  }();
  return source;
}

template <int PatchRows, int PatchCols, int Warps, int Stages>
Side ours(int slab) {
  using Shape = example::StencilShape<PatchRows, PatchCols, Warps, Stages>;
  const dim3 grid(extent / PatchCols, extent / PatchRows, extent / slab);
  return stencil_side(std::to_string(PatchRows) + " x " + std::to_string(PatchCols) + " cells, " +
                          std::to_string(Stages) + " planes, " + std::to_string(Warps) +
                          " + 1 warps, slabs of " + std::to_string(slab),
                      [grid, slab] {
                        example::stencil7<Shape>
                            <<<grid, Shape::threads, sizeof(typename Shape::Ring)>>>(
                                prepared_source<Shape>(), data().out.data(), {center, side}, slab);
                      });
}

template <int Width, int Height, bool Shared>
Side plain(int slab) {
  const dim3 block(Width, Height);
  const dim3 grid(extent / (4 * Width), extent / Height, extent / slab);
  return stencil_side(
      std::string(Shared ? "plane in shared memory, " : "through the caches, ") +
          std::to_string(4 * Width) + " x " + std::to_string(Height) + " cells, slabs of " +
          std::to_string(slab),
      [block, grid, slab] {
        const baseline::StencilGrid g{
            data().in.data(), data().out.data(), extent, extent, extent, center, side};
        if constexpr (Shared)
          baseline::stencil_shared<Width, Height><<<grid, block>>>(g, slab);
        else
          baseline::stencil_registers<Width, Height><<<grid, block>>>(g, slab);
      });
}

Side device_copy() {
  Side copy = stencil_side("device copy", [] {
    check(cudaMemcpyAsync(data().out.data(), data().in.data(), cells * sizeof(float),
                          cudaMemcpyDeviceToDevice),
          "cudaMemcpyAsync");
  });
  copy.wrong = nullptr;  // it copies
  return copy;
}

Row row(std::string name, std::string peer) {
  return {std::move(name),
          "512 x 512 x 512 fp32, each value counted once in and once out",
          "GB/s",
          2e-9 * cells * sizeof(float),
          std::move(peer),
          {ours<16, 256, 16, 4>(64), ours<16, 256, 16, 4>(128), ours<16, 256, 8, 4>(64),
           ours<16, 256, 8, 4>(128), ours<8, 256, 4, 4>(128), ours<8, 256, 4, 4>(256),
           ours<8, 512, 8, 4>(64), ours<8, 512, 8, 7>(64), ours<16, 512, 16, 3>(64),
           ours<16, 256, 8, 10>(64)},
          {}};
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using bench::plain;
  bench::Rows rows;
  bench::Row against_copy = bench::row("stencil7", "device copy");
  against_copy.peers.push_back(bench::device_copy());
  rows.add(std::move(against_copy));
  bench::Row against_plain = bench::row("stencil7_plain", "the best plain kernel of a sweep");
  for (const int slab : {16, 64, 128, 256}) {
    against_plain.peers.push_back(plain<32, 8, false>(slab));
    against_plain.peers.push_back(plain<32, 4, false>(slab));
    against_plain.peers.push_back(plain<32, 16, false>(slab));
    against_plain.peers.push_back(plain<64, 8, false>(slab));
    against_plain.peers.push_back(plain<128, 4, false>(slab));
    against_plain.peers.push_back(plain<32, 8, true>(slab));
    against_plain.peers.push_back(plain<32, 16, true>(slab));
  }
  rows.add(std::move(against_plain));
  return rows.run(argc, argv);
}
