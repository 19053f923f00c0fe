// SPDX-License-Identifier: Apache-2.0
// Attention of 64 tokens by FlashInfer on Tensor Cores: K and V by cp.async groups, each in turn.
#include <cuda_runtime.h>

#include <cstdint>
#include <flashinfer/attention/prefill.cuh>
#include <flashinfer/attention/variants.cuh>

struct Params {  // as SinglePrefillParams, whose constructors are the host's
  using DTypeQ = half;
  using DTypeKV = half;
  using DTypeO = half;
  using IdType = int32_t;
  half *q, *k, *v;
  uint8_t* maybe_custom_mask;
  half* o;
  float *lse, *maybe_alibi_slopes;
  flashinfer::uint_fastdiv group_size;
  uint32_t qo_len, kv_len, num_qo_heads, num_kv_heads;
  uint32_t q_stride_n, q_stride_h, k_stride_n, k_stride_h, v_stride_n, v_stride_h, head_dim;
  int32_t window_left;
  float logits_soft_cap, sm_scale, rope_rcp_scale, rope_rcp_theta;
  uint32_t partition_kv;
  __device__ uint32_t get_qo_len(uint32_t) const { return qo_len; }
  __device__ uint32_t get_kv_len(uint32_t) const { return kv_len; }
};
using Variant = flashinfer::DefaultAttention<false, false, false, false>;
using Traits = flashinfer::KernelTraits<flashinfer::MaskMode::kCausal, 64, 1, 2, 4, 4, 4, 1,
                                        flashinfer::PosEncodingMode::kNone, half, half, half, float,
                                        int32_t, Variant>;

extern "C" __global__ void __launch_bounds__(128)
    prefill(half* q, half* k, half* v, half* o, int queries, int length) {
  extern __shared__ uint8_t shared[];
  flashinfer::uint_fastdiv one;
  one.d = 1;
  const Params params{q,
                      k,
                      v,
                      nullptr,
                      o,
                      nullptr,
                      nullptr,
                      one,
                      uint32_t(queries),
                      uint32_t(length),
                      1,
                      1,
                      64,
                      64,
                      64,
                      64,
                      64,
                      64,
                      64,
                      -1,
                      0.0f,
                      0.125f,
                      1.0f,
                      1.0f,
                      0};
  flashinfer::SinglePrefillWithKVCacheDevice<Traits>(
      params, reinterpret_cast<Traits::SharedStorage&>(shared));
}
