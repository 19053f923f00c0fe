// SPDX-License-Identifier: Apache-2.0
// What the driver says of the device: name, versions, and its clocks by NVML, loaded at run time.
#include <dlfcn.h>

#include <type_traits>

#include "device.hpp"

namespace bench {
namespace {

// The part of NVML's C interface that is used here; a machine without it still runs.
struct Nvml {
  using Handle = void*;
  int (*init)() = nullptr;
  int (*by_index)(unsigned, Handle*) = nullptr;
  int (*clock)(Handle, int, unsigned*) = nullptr;
  int (*power)(Handle, unsigned*) = nullptr;
  int (*temperature)(Handle, int, unsigned*) = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  Handle handle = nullptr;

  Nvml() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library) return;
    const auto load = [library](auto& function, const char* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    if (!load(init, "nvmlInit_v2") || !load(by_index, "nvmlDeviceGetHandleByIndex_v2") ||
        !load(clock, "nvmlDeviceGetClockInfo") || !load(power, "nvmlDeviceGetPowerUsage") ||
        !load(temperature, "nvmlDeviceGetTemperature") ||
        !load(driver, "nvmlSystemGetDriverVersion"))
      return;
    if (init() != 0 || by_index(0, &handle) != 0) handle = nullptr;
  }
};

const Nvml& nvml() {
  static const Nvml library;
  return library;
}

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

}  // namespace

const Device& device() {
  static const Device read = [] {
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, 0), "cudaGetDeviceProperties");
    int runtime = 0;
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    char driver[96] = "";
    if (nvml().handle) nvml().driver(driver, sizeof driver);
    return Device{p.name, p.multiProcessorCount, static_cast<std::size_t>(p.l2CacheSize), driver,
                  version(runtime)};
  }();
  return read;
}

Clocks read_clocks() {
  Clocks now{-1, -1, -1, -1};
  if (!nvml().handle) return now;
  unsigned value = 0;
  if (nvml().clock(nvml().handle, 1, &value) == 0) now.sm_mhz = static_cast<int>(value);
  if (nvml().clock(nvml().handle, 2, &value) == 0) now.memory_mhz = static_cast<int>(value);
  if (nvml().power(nvml().handle, &value) == 0) now.watts = value / 1000.0;
  if (nvml().temperature(nvml().handle, 0, &value) == 0) now.celsius = static_cast<int>(value);
  return now;
}

}  // namespace bench
