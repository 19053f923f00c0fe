// SPDX-License-Identifier: Apache-2.0
// The kernels of examples/03_gemm_tensor_core.cuh, and a plain product in fp64.
#include "../../examples/03_gemm_tensor_core.cuh"
#include "gemm_problem.hpp"
#include "special_kernels.hpp"

namespace tilepipe_test {

__global__ void plain_product(const unsigned short* a, const unsigned short* b, double* sums,
                              double* sizes, GemmExtents g) {
  const long long at = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (at >= static_cast<long long>(g.m) * g.n) return;
  double sum = 0, size = 0;
  for (int k = 0; k < g.k; ++k) {
    const double product = double{__uint_as_float(a[at / g.n * g.lda + k] * 65536u)} *
                           __uint_as_float(b[at % g.n * g.ldb + k] * 65536u);
    sum += product;
    size += fabs(product);
  }
  sums[at] = sum;
  sizes[at] = size;
}
const void* plain_product_kernel() { return reinterpret_cast<const void*>(&plain_product); }

static support::Split split_of(const GemmSplit& s) {
  return support::make_split(s.patches, s.steps, s.whole, s.slices);
}
std::vector<Argument> gemm_arguments(DeviceAddress a, DeviceAddress b, DeviceAddress c,
                                     DeviceAddress sums, const GemmExtents& g,
                                     const GemmSplit& split) {
  using example::bf16;
  return {argument(example::Gemm{static_cast<const bf16*>(a.address),
                                 static_cast<const bf16*>(b.address), static_cast<bf16*>(c.address),
                                 g.m, g.n, g.k, g.lda, g.ldb, g.ldc,
                                 static_cast<float4*>(sums.address)}),
          argument(split_of(split))};
}
std::vector<Argument> add_slices_arguments(DeviceAddress sums, DeviceAddress c,
                                           const GemmExtents& g, const GemmSplit& split) {
  return {argument(sums), argument(split_of(split)), argument(c), argument(g.m), argument(g.n),
          argument(g.ldc)};
}

namespace {

template <class Shape, class Edge>
void add(const std::string& name) {
  SpecialCase c;
  c.name = "gemm/" + name;
  c.kernel = reinterpret_cast<const void*>(&example::gemm_kernel<Shape, Edge>);
  c.threads = Shape::threads;
  c.shared_bytes = sizeof(typename Shape::Ring);
  c.rows = Shape::m;
  c.cols = Shape::n;
  c.depth = Shape::k;
  c.zero_fill = tilepipe::configure<Edge>().edge == tilepipe::Edge::zero_fill;
  c.in_bytes = sizeof(typename Shape::Piece);
  add_special_case(c);
  c.name = "add_slices/" + name;
  c.kernel = reinterpret_cast<const void*>(&support::add_slices<Shape>);
  c.shared_bytes = 0;
  c.blocks = Shape::Product::groups;
  add_special_case(c);
}

const bool added = [] {
  add<example::Small<unsigned short>, tilepipe::ZeroFill>("small_2");
  add<example::Single, tilepipe::ZeroFill>("single");
  add<example::Small<unsigned>, tilepipe::ZeroFill>("small_4");
  add<example::Small<uint2>, tilepipe::ZeroFill>("small_8");
  add<example::Small<uint4>, tilepipe::ZeroFill>("small_16");
  add<example::Wide, tilepipe::ZeroFill>("wide");
  add<example::Tall, tilepipe::ZeroFill>("tall");
  add<example::Low, tilepipe::ZeroFill>("low");
  add<example::Wide, tilepipe::Exact>("wide_exact");
  return true;
}();

}  // namespace
}  // namespace tilepipe_test
