// SPDX-License-Identifier: Apache-2.0
// CUTLASS's kernels of mma.sync: by cp.async, and by registers where rows are aligned to 2 bytes.
#include "gemm_cutlass.hpp"

#include <cutlass/bfloat16.h>
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/gemm/device/gemm.h>
#include <cutlass/gemm/device/gemm_splitk_parallel.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace bench {
namespace {

using Bf16 = cutlass::bfloat16_t;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;

// Alignment: in elements, of all three matrices.
template <int M, int N, int K, int WarpM, int WarpN, int Stages, int Alignment>
using GemmOf = cutlass::gemm::device::Gemm<
    Bf16, Row, Bf16, Column, Bf16, Row, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    cutlass::gemm::GemmShape<M, N, K>, cutlass::gemm::GemmShape<WarpM, WarpN, K>,
    cutlass::gemm::GemmShape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombination<Bf16, Alignment, float, float>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<8>, Stages, Alignment, Alignment>;
// The same whose slices write sums, which a second kernel adds. (Those that add in turn round to
// bf16 between slices.)
template <int M, int N, int K, int WarpM, int WarpN, int Stages>
using ParallelOf = cutlass::gemm::device::GemmSplitKParallel<
    Bf16, Row, Bf16, Column, Bf16, Row, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    cutlass::gemm::GemmShape<M, N, K>, cutlass::gemm::GemmShape<WarpM, WarpN, K>,
    cutlass::gemm::GemmShape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombination<Bf16, 8, float, float>,
    cutlass::epilogue::thread::Convert<float, 4, float>,
    cutlass::reduction::thread::ReduceAdd<float, float, 8>,
    cutlass::gemm::threadblock::GemmSplitKHorizontalThreadblockSwizzle, Stages, 8, 8>;

void check(cutlass::Status status) {
  if (status == cutlass::Status::kSuccess) return;
  std::fprintf(stderr, "CUTLASS: %s\n", cutlassGetStatusString(status));
  std::exit(1);
}

template <int M, int N, int K, int WarpM, int WarpN, int Stages, int Alignment = 8>
void add(std::vector<GemmPeer>& to, const Problem& p) {
  using Gemm = GemmOf<M, N, K, WarpM, WarpN, Stages, Alignment>;
  const auto a = static_cast<const Bf16*>(p.a);
  const auto b = static_cast<const Bf16*>(p.b);
  const auto c = static_cast<Bf16*>(p.c);
  const typename Gemm::Arguments arguments({p.m, p.n, p.k}, {a, p.k}, {b, p.k}, {c, p.n}, {c, p.n},
                                           {1.0f, 0.0f});
  const auto gemm = std::make_shared<Gemm>();
  to.push_back({"CUTLASS sm_80 " + std::to_string(M) + "x" + std::to_string(N) + "x" +
                    std::to_string(K) + ", " + std::to_string(Stages) + " stages",
                [gemm, arguments] { check((*gemm)(arguments)); }});
}

// Device memory that is allocated when first asked for.
class Workspace {
 public:
  explicit Workspace(std::size_t bytes) : bytes_(bytes) {}
  ~Workspace() { cudaFree(data_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  void* data() {
    if (data_ == nullptr && cudaMalloc(&data_, bytes_) != cudaSuccess) std::exit(1);
    return data_;
  }

 private:
  std::size_t bytes_;
  void* data_ = nullptr;
};

template <int M, int N, int K, int WarpM, int WarpN, int Stages>
void add_splits(std::vector<GemmPeer>& to, const Problem& p) {
  using Gemm = ParallelOf<M, N, K, WarpM, WarpN, Stages>;
  const auto a = static_cast<const Bf16*>(p.a);
  const auto b = static_cast<const Bf16*>(p.b);
  const auto c = static_cast<Bf16*>(p.c);
  for (const int slices : {2, 4, 8, 16, 32}) {
    if (p.k / slices < 2 * K) break;
    const typename Gemm::Arguments arguments({p.m, p.n, p.k}, {a, p.k}, {b, p.k}, {c, p.n},
                                             {c, p.n}, {1.0f, 0.0f}, slices);
    const auto gemm = std::make_shared<Gemm>();
    const auto space = std::make_shared<Workspace>(Gemm::get_workspace_size(arguments));
    to.push_back({"CUTLASS sm_80 " + std::to_string(M) + "x" + std::to_string(N) + "x" +
                      std::to_string(K) + ", " + std::to_string(Stages) + " stages, " +
                      std::to_string(slices) + " slices",
                  [gemm, arguments, space] { check((*gemm)(arguments, space->data())); }});
  }
}

}  // namespace

std::vector<GemmPeer> cutlass_peers(const Problem& problem) {
  std::vector<GemmPeer> peers;
  if (problem.k % 8 != 0 || problem.n % 8 != 0) {
    add<128, 128, 32, 64, 64, 2, 1>(peers, problem);
    add<128, 256, 32, 64, 64, 2, 1>(peers, problem);
    add<256, 128, 32, 64, 64, 2, 1>(peers, problem);
    return peers;
  }
  add<128, 128, 32, 64, 64, 4>(peers, problem);
  add<128, 128, 64, 64, 64, 3>(peers, problem);
  add<128, 256, 32, 64, 64, 3>(peers, problem);
  add<128, 256, 64, 64, 64, 3>(peers, problem);
  add<256, 128, 32, 64, 64, 3>(peers, problem);
  add<256, 128, 64, 64, 64, 3>(peers, problem);
  return peers;
}

std::vector<GemmPeer> cutlass_split_peers(const Problem& problem) {
  std::vector<GemmPeer> peers = cutlass_peers(problem);
  if (problem.k % 8 != 0 || problem.n % 8 != 0) return peers;
  add_splits<128, 128, 64, 64, 64, 3>(peers, problem);
  add_splits<128, 256, 64, 64, 64, 3>(peers, problem);
  add_splits<256, 128, 64, 64, 64, 3>(peers, problem);
  return peers;
}

}  // namespace bench
