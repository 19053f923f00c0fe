// SPDX-License-Identifier: Apache-2.0
// Tensor maps made on the host: every rule checked first, then the driver's encode function, which
// is fetched at run time: no -lcuda.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "../core/tensor_box.hpp"
#include "../core/tensor_map.hpp"
#include "check.hpp"
#include "launch.hpp"
#include "tensor_rules.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace host {

static_assert(sizeof(CUtensorMap) == sizeof(TensorMap),
              "tilepipe::TensorMap: CUtensorMap has 128 bytes");

// Drivers before 13.2 set a bit of the map wrongly for tensors of less than 128 KiB that are not
// dense, which may fault on Blackwell (driver 595.71.05, release notes, "Known Issues"; gone
// around by clearing bit 85 of the map).
enum class SmallTensorWorkaround { where_documented, never, always };

// What a map has beyond the source and the tile's type.
struct TensorMapOptions {
  // Bytes that a miss in L2 brings there.
  L2Promotion l2_promotion = L2Promotion::bytes_128;
  // When bit 85 of the map is cleared.
  SmallTensorWorkaround workaround = SmallTensorWorkaround::where_documented;
};

// The device and its driver, as far as maps depend on them.
struct TensorDevice {
  int arch = 0;    // compute capability times 10, of the device
  int driver = 0;  // 12040 for CUDA 12.4
};
inline TensorDevice current_tensor_device() {
  int device = 0, major = 0, minor = 0, driver = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
             "cudaDeviceGetAttribute(cudaDevAttrComputeCapabilityMajor)");
  check_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
             "cudaDeviceGetAttribute(cudaDevAttrComputeCapabilityMinor)");
  check_cuda(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return {major * 10 + minor, driver};
}

// cuTensorMapEncodeTiled as CUDA 12.0 introduced it; nullptr where the driver has none.
using EncodeTiled = decltype(&cuTensorMapEncodeTiled);
inline EncodeTiled fetch_encode_tiled() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  check_cuda(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000,
                                              cudaEnableDefault, &found),
             "cudaGetDriverEntryPointByVersion(cuTensorMapEncodeTiled)");
#else
  check_cuda(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found),
             "cudaGetDriverEntryPoint(cuTensorMapEncodeTiled)");
#endif
  return found == cudaDriverEntryPointSuccess ? reinterpret_cast<EncodeTiled>(entry) : nullptr;
}

// Whether the workaround is for this tensor, on this device.
inline bool needs_small_tensor_workaround(const TensorMapRequest& r, const TensorDevice& device) {
  return device.driver < 13020 && device.arch >= 100 && tensor_bytes(r) < 128 * 1024 &&
         !is_dense(r);
}
// Clears bit 85 of the map.
inline void apply_small_tensor_workaround(TensorMap& map) {
  std::uint64_t word = 0;
  std::memcpy(&word, map.bytes + 8, sizeof word);
  word &= ~(std::uint64_t{1} << 21);
  std::memcpy(map.bytes + 8, &word, sizeof word);
}

// The map of a request, for the current device. Throws Error with the first rule that the request
// breaks, or if the driver refuses. Any thread may call it.
inline TensorMap encode_tensor_map(
    const TensorMapRequest& r,
    SmallTensorWorkaround workaround = SmallTensorWorkaround::where_documented) {
  const BrokenTensorRule broken = check_tensor_map(r);
  if (broken.rule != TensorRule::none)
    throw Error("tilepipe::host::encode_tensor_map: " + sentence(broken, r.rank));
  const TensorDevice device = current_tensor_device();
  const EncodeTiled encode = fetch_encode_tiled();
  if (encode == nullptr)
    throw Error("tilepipe::host::encode_tensor_map: the driver, of CUDA " +
                std::to_string(device.driver / 1000) + "." +
                std::to_string(device.driver % 1000 / 10) +
                ", has no cuTensorMapEncodeTiled; tensor maps need 12.0");
  cuuint64_t extent[5], stride[5] = {};
  cuuint32_t box[5], element_stride[5];
  for (int i = 0; i < r.rank; ++i) {  // the driver's dimension 0 is the dense one, our last
    const int d = r.rank - 1 - i;
    extent[i] = static_cast<cuuint64_t>(r.extent[d]);
    box[i] = static_cast<cuuint32_t>(r.box[d]);
    element_stride[i] = static_cast<cuuint32_t>(r.element_stride[d]);
    if (i > 0) stride[i - 1] = static_cast<cuuint64_t>(r.stride[d]);
  }
  CUtensorMap made{};
  const CUresult result =
      encode(&made, static_cast<CUtensorMapDataType>(r.element), static_cast<cuuint32_t>(r.rank),
             reinterpret_cast<void*>(static_cast<std::uintptr_t>(r.address)), extent, stride, box,
             element_stride, static_cast<CUtensorMapInterleave>(r.interleave),
             static_cast<CUtensorMapSwizzle>(r.swizzle),
             static_cast<CUtensorMapL2promotion>(r.l2_promotion),
             static_cast<CUtensorMapFloatOOBfill>(r.fill));
  if (result != CUDA_SUCCESS)
    throw Error("tilepipe::host::encode_tensor_map: cuTensorMapEncodeTiled refused with CUresult " +
                std::to_string(static_cast<int>(result)) +
                ", though every rule that it documents holds");
  TensorMap map;
  std::memcpy(map.bytes, &made, sizeof map.bytes);
  if (workaround == SmallTensorWorkaround::always ||
      (workaround == SmallTensorWorkaround::where_documented &&
       needs_small_tensor_workaround(r, device)))
    apply_small_tensor_workaround(map);
  return map;
}

// 16 bytes of zeros in the current device's memory, never freed, and gone with cudaDeviceReset.
// Where they are not there yet they are allocated, which waits for the default stream, and cannot
// be while a stream is captured.
inline const void* device_zeros() {
  static std::mutex mutex;
  static std::map<int, void*> zeros;
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  const std::lock_guard<std::mutex> lock(mutex);
  const auto known = zeros.find(device);
  if (known != zeros.end()) return known->second;
  void* memory = nullptr;
  check_cuda(cudaMalloc(&memory, 16), "cudaMalloc");
  check_cuda(cudaMemset(memory, 0, 16), "cudaMemset");
  check_cuda(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  return zeros[device] = memory;  // only once they are zeros
}

// A source for loaders TileLoader<Tile, Mapped, ...>, with a tensor map where the current device
// and the tile can have one; where not, `why_not` says why, and kernels load its view. The view's
// memory need not exist yet. With an extent of 0 the map is that of device_zeros().
template <class Tile>
TensorSource<Tile> tensor_source(const Source<typename Tile::value_type, Tile::rank>& view,
                                 std::string& why_not, const TensorMapOptions& options = {}) {
  TensorSource<Tile> source{};
  source.view = view;
  why_not = why_no_tensor_map<Tile>(view);
  if (!why_not.empty()) return source;
  const int arch = current_tensor_device().arch;
  if (!arch_traits(arch).bulk) {
    why_not = "the device has compute capability " + std::to_string(arch / 10) + "." +
              std::to_string(arch % 10) + ", and tensor copies need 9.0";
    return source;
  }
  const bool empty = is_empty<Tile>(view);
  TensorMapRequest request =
      empty ? one_zero_request<Tile>(device_zeros()) : tensor_map_request<Tile>(view);
  request.l2_promotion = options.l2_promotion;
  source.map = encode_tensor_map(request, options.workaround);
  source.mapped = empty ? 2 : 1;
  return source;
}

// The same, for sources that are to have a map: throws Error with the rule that the view breaks. A
// device below 9.0, a tile that tensor copies cannot bring (its loader's choice() says so), and an
// extent of 0 are no errors.
template <class Tile>
TensorSource<Tile> tensor_source(const Source<typename Tile::value_type, Tile::rank>& view,
                                 const TensorMapOptions& options = {}) {
  check_tensor_view<Tile>(view);
  std::string why_not;
  return tensor_source<Tile>(view, why_not, options);
}

}  // namespace host
TILEPIPE_NAMESPACE_END
