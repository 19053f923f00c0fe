// SPDX-License-Identifier: Apache-2.0
// FlashInfer's kernel for a single request: no positions, no mask, no window.
#include "decode_flashinfer.hpp"

#include <flashinfer/attention/decode.cuh>
#include <flashinfer/attention/default_decode_params.cuh>
#include <flashinfer/attention/variants.cuh>

#include <cstdio>
#include <cstdlib>

namespace bench {

std::function<void()> flashinfer_decode(const DecodeProblem& p, void* buffer) {
  using Params = flashinfer::SingleDecodeParams<half, half, half>;
  using Variant = flashinfer::DefaultAttention<false, false, false, false>;
  // It reads these, and takes them as not const.
  const auto input = [](const void* from) { return static_cast<half*>(const_cast<void*>(from)); };
  const Params params(input(p.q), input(p.k), input(p.v), static_cast<half*>(p.out), nullptr,
                      static_cast<unsigned>(p.kv_len), static_cast<unsigned>(p.heads),
                      static_cast<unsigned>(p.kv_heads), flashinfer::QKVLayout::kNHD, 128, -1, 0.0f,
                      p.scale, 1.0f, 1.0f);
  return [params, buffer] {
    const cudaError_t status =
        flashinfer::SingleDecodeWithKVCacheDispatched<128, flashinfer::PosEncodingMode::kNone,
                                                      Variant>(params, static_cast<half*>(buffer),
                                                               nullptr);
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "FlashInfer: %s\n", cudaGetErrorString(status));
    std::exit(1);
  };
}

}  // namespace bench
