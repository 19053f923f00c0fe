// SPDX-License-Identifier: Apache-2.0
// Tensor maps of the device tests, made by the library.
#include "tensor_argument.hpp"

#include <tilepipe/host/tensor_map.hpp>

namespace tilepipe_test {

tilepipe::TensorMap encode_map(const tilepipe::TensorMapRequest& request, bool always) {
  if (backend().name() == std::string("listing")) return {};
  using tilepipe::host::SmallTensorWorkaround;
  return tilepipe::host::encode_tensor_map(
      request, always ? SmallTensorWorkaround::always : SmallTensorWorkaround::where_documented);
}

}  // namespace tilepipe_test
