// SPDX-License-Identifier: Apache-2.0
// The kernels of example 13 with a ring of three stages and with one stage.
#include "decode.hpp"

#include "../../examples/13_decode_attention.cuh"

namespace tilepipe_test {
namespace {

template <int Stages>
DecodeKernel record() {
  return {Stages, reinterpret_cast<const void*>(&example::decode_kernel<Stages>),
          sizeof(example::KvRing<Stages>)};
}
static_assert(decode_dim == example::head_dim && decode_tile == example::tile_keys);

}  // namespace

std::vector<DecodeKernel> decode_kernels() { return {record<3>(), record<1>()}; }

Argument decode_argument(DeviceAddress q, DeviceAddress k, DeviceAddress v, DeviceAddress out,
                         DeviceAddress workspace, DeviceAddress done, DecodeSizes s, float scale) {
  return argument(
      example::Decode{static_cast<const __half*>(q.address), static_cast<const __half*>(k.address),
                      static_cast<const __half*>(v.address), static_cast<__half*>(out.address),
                      static_cast<float*>(workspace.address), static_cast<unsigned*>(done.address),
                      s.kv_len, s.heads, s.kv_heads, scale, s.chunk});
}

}  // namespace tilepipe_test
