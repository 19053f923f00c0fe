// SPDX-License-Identifier: Apache-2.0
// Kernels of tensor copies: tiles of every rank, swizzle and element, as they lie in shared memory;
// and single boxes without the library.
#include <tilepipe/ptx/bulk_tensor.cuh>
#include <tilepipe/tilepipe.cuh>

#include "support/device_helpers.cuh"
#include "tensor_argument.hpp"
#include "tensor_case.hpp"

namespace tilepipe_test {
namespace {

constexpr int tensor_stages = 2;
extern __shared__ __align__(1024) unsigned char tensor_shared[];

template <int Size, int Align>
struct alignas(Align) TensorElement {
  unsigned char bytes[Size];
};
template <class Tile>
struct TensorStage {
  Tile x;
};

template <class Pipe, class Loader, class Tile>
__device__ void fill_at(Pipe& pipe, Loader& load, Tile& tile, const long long* at) {
  if constexpr (Tile::rank == 1)
    pipe.fill(load, tile, at[0]);
  else if constexpr (Tile::rank == 2)
    pipe.fill(load, tile, at[0], at[1]);
  else if constexpr (Tile::rank == 3)
    pipe.fill(load, tile, at[0], at[1], at[2]);
  else if constexpr (Tile::rank == 4)
    pipe.fill(load, tile, at[0], at[1], at[2], at[3]);
  else
    pipe.fill(load, tile, at[0], at[1], at[2], at[3], at[4]);
}

template <class Team, class Tile>
__global__ void load_tensor(const __grid_constant__ tilepipe::TensorSource<Tile> source,
                            const long long* starts, unsigned char* out, long long tiles) {
  using Stage = TensorStage<Tile>;
  using Ring = tilepipe::Ring<Stage, tensor_stages>;
  poison_shared(tensor_shared, sizeof(Ring));
  Ring& ring = *reinterpret_cast<Ring*>(tensor_shared);
  tilepipe::TileLoader<Tile, tilepipe::Mapped, tilepipe::ZeroFill> load{source};
  tilepipe::Pipeline pipe{ring, Team{}, load};
  pipe.run(
      tiles, [&](Stage& s, long long t) { fill_at(pipe, load, s.x, starts + t * Tile::rank); },
      [&](const Stage& s, long long t) {
#pragma unroll 1
        for (int b = pipe.rank(); b < Tile::storage_bytes; b += pipe.size())
          out[t * Tile::storage_bytes + b] = s.x.storage[b];
      });
  pipe.close();
}

template <class Tile>
Argument source_of(const TensorView& view) {
  using T = typename Tile::value_type;
  tilepipe::Source<T, Tile::rank> source{};
  source.data = static_cast<const T*>(view.from.address);
  for (int d = 0; d < Tile::rank; ++d) {
    source.extent[d] = view.extent[d];
    source.stride[d] = view.stride[d] / static_cast<long long>(sizeof(T));
  }
  return tensor_argument<Tile>(source);
}

std::vector<TensorCase>& all() {
  static std::vector<TensorCase> cases;
  return cases;
}

template <class Team, int Threads, class Tile>
void add(const std::string& name) {
  TensorCase c;
  c.name = "tensor/" + name;
  c.kernel = reinterpret_cast<const void*>(&load_tensor<Team, Tile>);
  c.source = &source_of<Tile>;
  c.element_bytes = static_cast<int>(sizeof(typename Tile::value_type));
  c.rank = Tile::rank;
  for (int d = 0; d < Tile::rank; ++d) c.extent[d] = Tile::ExtentsType::extent(d);
  c.swizzle = tilepipe::swizzle_width<typename Tile::Layout>;
  c.threads = Threads;
  c.shared_bytes = sizeof(tilepipe::Ring<TensorStage<Tile>, tensor_stages>);
  all().push_back(c);
}
template <class T, int Width, int... E>
using Swizzled = tilepipe::BasicTile<T, tilepipe::Extents<E...>, tilepipe::Swizzle<Width>>;

const bool added = [] {
  using namespace tilepipe;
  using Unified = Block<64>;
  add<Unified, 64, Tile<float, 64>>("1d");
  add<Unified, 64, Tile<float, 1024>>("1d-boxes");
  add<Unified, 64, Tile<float, 6, 32>>("2d");
  add<Specialized<32, 64>, 96, Tile<float, 3, 4, 16>>("3d-roles");
  add<Block<>, 33, Tile<short, 2, 3, 2, 16>>("4d");
  add<Unified, 64, Tile<unsigned char, 2, 2, 3, 2, 32>>("5d");
#if TILEPIPE_TEST_ARCH >= 90
  add<Unified, 64, Swizzled<short, 128, 9, 64>>("2d-swizzle128");
  add<Unified, 64, Swizzled<float, 128, 5, 96>>("2d-swizzle128-panels");
  add<Unified, 64, Swizzled<short, 64, 7, 32>>("2d-swizzle64");
  add<Unified, 64, Swizzled<short, 64, 6, 160>>("2d-swizzle64-panels");
  add<Unified, 64, Swizzled<unsigned char, 32, 9, 32>>("2d-swizzle32");
  add<Warp, 32, Swizzled<float, 32, 8, 24>>("2d-swizzle32-panels-warp");
  add<Unified, 64, Swizzled<short, 128, 3, 5, 64>>("3d-swizzle128");
  add<Specialized<64, 64>, 128, Swizzled<float, 64, 2, 3, 2, 16>>("4d-swizzle64-roles");
  add<Unified, 64, Swizzled<double, 128, 2, 2, 2, 2, 16>>("5d-swizzle128");
  add<Unified, 64, Tile<TensorElement<3, 1>, 5, 48>>("2d-3-bytes");
  add<Unified, 64, Tile<TensorElement<12, 4>, 4, 4>>("2d-12-bytes");
  add<Unified, 64, Tile<TensorElement<48, 16>, 3, 4>>("2d-48-bytes");
  add<Unified, 64, Tile<float, 300, 8>>("2d-high");
#endif
  return true;
}();

__global__ void load_box([[maybe_unused]] const __grid_constant__ tilepipe::TensorMap map,
                         [[maybe_unused]] int first_row, [[maybe_unused]] int col,
                         [[maybe_unused]] int bytes, [[maybe_unused]] unsigned char* out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  namespace ptx = tilepipe::ptx;
  __shared__ unsigned long long bar;
  poison_shared(tensor_shared, static_cast<unsigned>(bytes));
  const unsigned full = ptx::shared_address(&bar);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(full, 1);
    ptx::fence_mbarrier_init();
  }
  ptx::fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(full, static_cast<unsigned>(bytes));
    ptx::tensor_load(ptx::shared_address(tensor_shared), &map, full,
                     {col, first_row + static_cast<int>(blockIdx.x)});
  }
  ptx::mbarrier_wait_parity(full, 0);
  for (int b = static_cast<int>(threadIdx.x); b < bytes; b += static_cast<int>(blockDim.x))
    out[static_cast<long long>(blockIdx.x) * bytes + b] = tensor_shared[b];
#endif
}

}  // namespace

const std::vector<TensorCase>& tensor_cases() { return all(); }

const void* box_kernel() { return reinterpret_cast<const void*>(&load_box); }
Argument box_map(DeviceAddress matrix, long long rows, long long cols, long long pitch_bytes,
                 int box_rows, int box_cols, bool always) {
  tilepipe::TensorMapRequest r;
  r.address = reinterpret_cast<unsigned long long>(matrix.address);
  r.element = tilepipe::TensorElement::uint32;
  r.rank = 2;
  r.extent[0] = rows;
  r.extent[1] = cols;
  r.stride[0] = pitch_bytes;
  r.box[0] = box_rows;
  r.box[1] = box_cols;
  return argument(backend().tensor_map(r, always));
}

}  // namespace tilepipe_test
