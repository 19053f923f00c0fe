// SPDX-License-Identifier: Apache-2.0
// Tests of launch set-up against a CUDA runtime of two devices and two kernels that this file
// plays: no GPU is needed, and every call is seen.
#include <map>
#include <string>
#include <tilepipe/host/launch.hpp>
#include <vector>

#include "support/catch.hpp"

namespace {

struct Device {
  int optin = 0;
  std::map<const void*, int> limit;  // of dynamic shared memory, for each kernel
};
struct Fake {
  int current = 0;
  std::vector<Device> devices;
  std::map<const void*, int> static_bytes;
  int ptx_version = 80;
  int blocks = 3;
  std::vector<int> set;      // every value that the attribute was set to
  std::string failing_call;  // this one fails
};
Fake fake;

cudaError_t answer(const char* call) {
  return fake.failing_call == call ? cudaErrorInvalidValue : cudaSuccess;
}

void small_kernel(int*) {}
void large_kernel(float*, int) {}
const void* address(void (*kernel)(int*)) { return reinterpret_cast<const void*>(kernel); }
const void* address(void (*kernel)(float*, int)) { return reinterpret_cast<const void*>(kernel); }

void reset() {
  fake = Fake{};
  fake.devices = {{227 * 1024, {}}, {99 * 1024, {}}};
  for (Device& device : fake.devices)
    device.limit = {{address(small_kernel), 48 * 1024}, {address(large_kernel), 47 * 1024}};
  fake.static_bytes = {{address(small_kernel), 0}, {address(large_kernel), 1024}};
}

template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const tilepipe::host::Error& error) {
    return error.what();
  }
  return "";
}

using tilepipe::host::prepare;

struct WarpTeam {
  static constexpr tilepipe::TeamKind kind = tilepipe::TeamKind::warp;
  static constexpr int loading_threads = 32;
  static constexpr int all_computing = 32;
};

}  // namespace

extern "C" {
cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  *device = fake.current;
  return answer("cudaGetDevice");
}
cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, cudaDeviceAttr what, int device) {
  if (what != cudaDevAttrMaxSharedMemoryPerBlockOptin) return cudaErrorInvalidValue;
  *value = fake.devices[device].optin;
  return answer("cudaDeviceGetAttribute");
}
cudaError_t CUDARTAPI cudaFuncGetAttributes(cudaFuncAttributes* out, const void* kernel) {
  out->sharedSizeBytes = fake.static_bytes.at(kernel);
  out->maxDynamicSharedSizeBytes = fake.devices[fake.current].limit.at(kernel);
  out->ptxVersion = fake.ptx_version;
  return answer("cudaFuncGetAttributes");
}
cudaError_t CUDARTAPI cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute what, int value) {
  if (what != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
  fake.devices[fake.current].limit.at(kernel) = value;
  fake.set.push_back(value);
  return answer("cudaFuncSetAttribute");
}
cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int,
                                                                    size_t) {
  *blocks = fake.blocks;
  return answer("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
}
const char* CUDARTAPI cudaGetErrorName(cudaError_t) { return "cudaErrorInvalidValue"; }
const char* CUDARTAPI cudaGetErrorString(cudaError_t) { return "invalid argument"; }
}

TEST_CASE("prepare asks for nothing when the kernel's limit is high enough") {
  reset();
  const tilepipe::host::Prepared done = prepare(small_kernel, 48 * 1024);
  CHECK(fake.set.empty());
  CHECK(done.arch == 80);
  CHECK(done.static_bytes == 0);
  CHECK(done.dynamic_bytes == 48 * 1024);
  CHECK(done.available_bytes == 227 * 1024);
  prepare(small_kernel, 0);
  CHECK(fake.set.empty());
}

TEST_CASE("prepare raises the limit and never lowers it when a kernel is prepared again") {
  reset();
  prepare(small_kernel, 100 * 1024);
  prepare(small_kernel, 60 * 1024);
  prepare(small_kernel, 100 * 1024);
  prepare(small_kernel, 120 * 1024);
  CHECK(fake.set == std::vector<int>{100 * 1024, 120 * 1024});
  // What somebody else had set before stays as well.
  fake.devices[0].limit[address(small_kernel)] = 200 * 1024;
  prepare(small_kernel, 150 * 1024);
  CHECK(fake.devices[0].limit[address(small_kernel)] == 200 * 1024);
}

TEST_CASE("prepare sets each kernel and each device when there are several") {
  reset();
  prepare(small_kernel, 80 * 1024);
  prepare(large_kernel, 70 * 1024);
  CHECK(prepare(large_kernel, 1).static_bytes == 1024);
  CHECK(fake.devices[0].limit[address(small_kernel)] == 80 * 1024);
  CHECK(fake.devices[0].limit[address(large_kernel)] == 70 * 1024);
  CHECK(fake.devices[1].limit[address(small_kernel)] == 48 * 1024);
  fake.current = 1;
  CHECK(prepare(small_kernel, 90 * 1024).available_bytes == 99 * 1024);
  CHECK(fake.devices[1].limit[address(small_kernel)] == 90 * 1024);
  CHECK(fake.devices[0].limit[address(small_kernel)] == 80 * 1024);
}

TEST_CASE("prepare names bytes asked and available when the device has fewer") {
  reset();
  fake.current = 1;
  CHECK(message([] { prepare(large_kernel, 98 * 1024 + 1); }) ==
        "tilepipe::host::prepare: a block asks for 101377 B of shared memory (100353 dynamic, 1024 "
        "static), and 101376 "
        "B are available; use fewer stages or smaller tiles");
  CHECK(fake.set.empty());
  CHECK(message([] { prepare(large_kernel, 98 * 1024); }).empty());
  CHECK(fake.set == std::vector<int>{98 * 1024});
  CHECK_FALSE(message([] { prepare(large_kernel, 5ll << 30); }).empty());  // does not wrap to 1 GiB
}

TEST_CASE("prepare refuses a block when the team does not fit it") {
  reset();
  CHECK(message([] { prepare<WarpTeam>(small_kernel, 48, 60 * 1024); }) ==
        "tilepipe::host::check_block: block of 48 threads is not a multiple of 32, which the team "
        "Warp needs: its last "
        "warp would be partial");
  CHECK(fake.set.empty());
  CHECK(message([] { prepare<WarpTeam>(small_kernel, 64, 60 * 1024); }).empty());
  CHECK(fake.set == std::vector<int>{60 * 1024});
}

TEST_CASE("Every CUDA call is named when it fails") {
  const struct {
    const char* call;
    const char* named;
  } calls[] = {
      {"cudaGetDevice", "cudaGetDevice"},
      {"cudaDeviceGetAttribute", "cudaDeviceGetAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)"},
      {"cudaFuncGetAttributes", "cudaFuncGetAttributes"},
      {"cudaFuncSetAttribute", "cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize)"},
  };
  for (const auto& call : calls) {
    reset();
    fake.failing_call = call.call;
    CHECK(message([] { prepare(small_kernel, 100 * 1024); }) ==
          std::string("tilepipe::host: ") + call.named +
              " failed: cudaErrorInvalidValue, invalid argument");
  }
}

TEST_CASE("blocks_per_sm gives the runtime's answer, and an error when no block fits") {
  reset();
  CHECK(tilepipe::host::blocks_per_sm(small_kernel, 256, 1000) == 3);
  fake.blocks = 0;
  CHECK(message([] { tilepipe::host::blocks_per_sm(small_kernel, 256, 1000); }) ==
        "tilepipe::host::blocks_per_sm: no block of 256 threads with 1000 B of dynamic shared "
        "memory fits a "
        "multiprocessor; use fewer");
  fake.failing_call = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
  CHECK_FALSE(message([] { tilepipe::host::blocks_per_sm(small_kernel, 256, 1000); }).empty());
}
