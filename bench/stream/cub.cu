// SPDX-License-Identifier: Apache-2.0
// cub::DeviceTransform at the W that rows compare with.
#include <cstdlib>

#include "baseline/cub_transform.cuh"
#include "kernel.hpp"
#include "stream/tables.hpp"

namespace bench {
namespace {

template <int W>
Side transform() {
  return stream_side("cub::DeviceTransform", W, [](const float* in, float* out) {
    check(baseline::cub_transform<W>(in, out, StreamData::count), "cub::DeviceTransform");
  });
}

}  // namespace

Side cub(int w) {
  switch (w) {
    case 0:
      return transform<0>();
    case 16:
      return transform<16>();
    case 64:
      return transform<64>();
    case 256:
      return transform<256>();
    default:
      std::abort();
  }
}

}  // namespace bench
