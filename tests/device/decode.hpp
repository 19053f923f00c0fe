// SPDX-License-Identifier: Apache-2.0
// The kernels of example 13, as plain data for the test that launches them.
#pragma once
#include <vector>

#include "support/launch.hpp"

namespace tilepipe_test {

constexpr int decode_dim = 128;
constexpr int decode_tile = 64;

struct DecodeKernel {
  int stages;
  const void* kernel;
  std::size_t shared_bytes;
};
std::vector<DecodeKernel> decode_kernels();

// What the kernels take, whose keys are in chunks of `chunk`.
struct DecodeSizes {
  int kv_len, heads, kv_heads, chunk;
};
Argument decode_argument(DeviceAddress q, DeviceAddress k, DeviceAddress v, DeviceAddress out,
                         DeviceAddress workspace, DeviceAddress done, DecodeSizes sizes,
                         float scale);

}  // namespace tilepipe_test
