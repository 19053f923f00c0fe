// SPDX-License-Identifier: Apache-2.0
// The half GEMM of CuTe's tutorial sgemm_sm80.cu, three stages, as its gemm_tn sets it up.
#include <cute/arch/copy_sm80.hpp>
#include <cute/tensor.hpp>

#include "as_functions.cuh"

#include "theirs.inc"

#include "as_kernels.cuh"

extern "C" __global__ void __launch_bounds__(128)
    cute_gemm(const cute::half_t* a, const cute::half_t* b, cute::half_t* c, int m, int n, int k) {
  using namespace cute;
  auto swizzled = composition(Swizzle<3, 3, 3>{},
                              Layout<Shape<_8, Shape<_8, _8>>, Stride<_8, Stride<_1, _64>>>{});
  auto stages = tile_to_shape(swizzled, make_shape(Int<128>{}, Int<64>{}, Int<3>{}));
  auto copy = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{},
                              Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto product = make_tiled_mma(SM80_16x8x16_F16F16F16F16_TN{}, Layout<Shape<_2, _2>>{},
                                Tile<_32, _32, _16>{});
  Copy_Atom<SM75_U32x4_LDSM_N, half_t> to_registers;
  gemm_device(make_shape(m, n, k), make_shape(Int<128>{}, Int<128>{}, Int<64>{}), a,
              make_stride(k, Int<1>{}), stages, copy, to_registers, b, make_stride(k, Int<1>{}),
              stages, copy, to_registers, c, make_stride(Int<1>{}, m),
              make_layout(make_shape(Int<128>{}, Int<128>{})), product, half_t(1.0f), half_t(0.0f));
}
