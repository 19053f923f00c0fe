// SPDX-License-Identifier: Apache-2.0
// Device memory between addresses that are not mapped: a kernel that touches what lies before or
// behind it fails.
#pragma once

#include <cuda.h>

#include "device.hpp"

namespace support {

// A function of the driver, which the program is not linked with.
template <class Function>
Function driver_function(const char* name) {
  void* found = nullptr;
#if CUDART_VERSION >= 12050
  check(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault), name);
#else
  check(cudaGetDriverEntryPoint(name, &found, cudaEnableDefault), name);
#endif
  if (found == nullptr) check(cudaErrorNotSupported, name);
  return reinterpret_cast<Function>(found);
}
inline void check_driver(CUresult status, const char* what) {
  if (status != CUDA_SUCCESS) check(static_cast<cudaError_t>(status), what);
}

// One page of the current device, as large as the driver's pages are (2 MiB, say).
class GuardedPage {
 public:
  GuardedPage() {
    check(cudaFree(nullptr), "context");
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    call<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity", &size_,
                                                   &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    call<decltype(&cuMemAddressReserve)>("cuMemAddressReserve", &reserved_, 3 * size_, 0, 0, 0);
    call<decltype(&cuMemCreate)>("cuMemCreate", &memory_, size_, &properties, 0);
    call<decltype(&cuMemMap)>("cuMemMap", address(), size_, 0, memory_, 0);
    call<decltype(&cuMemSetAccess)>("cuMemSetAccess", address(), size_, &access, 1);
  }
  ~GuardedPage() {
    call<decltype(&cuMemUnmap)>("cuMemUnmap", address(), size_);
    call<decltype(&cuMemRelease)>("cuMemRelease", memory_);
    call<decltype(&cuMemAddressFree)>("cuMemAddressFree", reserved_, 3 * size_);
  }
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  unsigned char* begin() const { return reinterpret_cast<unsigned char*>(address()); }
  unsigned char* end() const { return begin() + size_; }

 private:
  template <class Function, class... Arguments>
  static void call(const char* name, Arguments... arguments) {
    check_driver(driver_function<Function>(name)(arguments...), name);
  }
  CUdeviceptr address() const { return reserved_ + size_; }

  std::size_t size_ = 0;
  CUdeviceptr reserved_ = 0;
  CUmemGenericAllocationHandle memory_ = 0;
};

}  // namespace support
