// SPDX-License-Identifier: Apache-2.0
// CUTLASS's multistage GEMMs for 8.0: on Tensor Cores, and by FMA with copies of four bytes.
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/gemm/kernel/default_gemm.h>
#include <cutlass/gemm/threadblock/threadblock_swizzle.h>

namespace gemm = cutlass::gemm;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Half = cutlass::half_t;

template <class T, class Class, int Vector, class Block, class Warp, class Instruction, int Stages>
using KernelOf = typename gemm::kernel::DefaultGemm<
    T, Row, Vector, T, Column, Vector, T, Row, float, Class, cutlass::arch::Sm80, Block, Warp,
    Instruction, cutlass::epilogue::thread::LinearCombination<T, Vector, float, float>,
    gemm::threadblock::GemmIdentityThreadblockSwizzle<>, Stages, false,
    cutlass::arch::OpMultiplyAdd>::GemmKernel;
using TensorCores = KernelOf<Half, cutlass::arch::OpClassTensorOp, 8, gemm::GemmShape<64, 64, 32>,
                             gemm::GemmShape<32, 32, 32>, gemm::GemmShape<16, 8, 16>, 4>;
using Simt = KernelOf<float, cutlass::arch::OpClassSimt, 1, gemm::GemmShape<64, 64, 8>,
                      gemm::GemmShape<32, 32, 8>, gemm::GemmShape<1, 1, 1>, 4>;

// What cutlass::gemm::device::Gemm makes on the host for its kernel.
template <class Kernel, class T>
__device__ void multiply(T* a, T* b, T* c, int m, int n, int k) {
  extern __shared__ int shared[];
  const gemm::GemmCoord blocks{(m + 63) / 64, (n + 63) / 64, 1};
  typename Kernel::Params params({m, n, k}, blocks, {a, Row(k)}, {b, Column(k)}, {c, Row(n)},
                                 {c, Row(n)}, {1.0f, 0.0f});
  Kernel kernel;
  kernel(params, *reinterpret_cast<typename Kernel::SharedStorage*>(shared));
}

extern "C" __global__ void __launch_bounds__(TensorCores::kThreadCount)
    gemm_tensor_cores(Half* a, Half* b, Half* c, int m, int n, int k) {
  multiply<TensorCores>(a, b, c, m, n, k);
}
extern "C" __global__ void __launch_bounds__(Simt::kThreadCount)
    gemm_simt(float* a, float* b, float* c, int m, int n, int k) {
  multiply<Simt>(a, b, c, m, n, k);
}
