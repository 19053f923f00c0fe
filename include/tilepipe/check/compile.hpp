// SPDX-License-Identifier: Apache-2.0
// Compiles CUDA source text for a check, by NVRTC: no GPU and no driver. Alone here in needing
// CUDA: its header nvrtc.h and its library, CMake's CUDA::nvrtc.
#pragma once

#include <nvrtc.h>

#include "launch.hpp"

namespace tilepipe::check {

// A module of the PTX of `source` for an architecture (75, 80, 90, ...), in C++17 and with source
// lines; more options as NVRTC has them, "-Iinclude" above all. Kernels that are extern "C" keep
// their names. Throws Unsupported with what the compiler says.
inline Module compile(const std::string& source, int arch,
                      const std::vector<std::string>& options = {}) {
  const auto need = [](nvrtcResult result, const std::string& what) {
    if (result != NVRTC_SUCCESS) throw Unsupported(what + ": " + nvrtcGetErrorString(result));
  };
  std::vector<std::string> all{"--gpu-architecture=compute_" + std::to_string(arch), "--std=c++17",
                               "-lineinfo"};
  all.insert(all.end(), options.begin(), options.end());
  std::vector<const char*> pointers;
  for (const std::string& option : all) pointers.push_back(option.c_str());

  nvrtcProgram program = nullptr;
  need(nvrtcCreateProgram(&program, source.c_str(), "source.cu", 0, nullptr, nullptr),
       "nvrtcCreateProgram");
  struct Owner {
    nvrtcProgram* program;
    ~Owner() { nvrtcDestroyProgram(program); }
  } const owner{&program};
  const nvrtcResult compiled =
      nvrtcCompileProgram(program, static_cast<int>(pointers.size()), pointers.data());
  std::size_t size = 0;
  if (compiled != NVRTC_SUCCESS) {
    std::string log;
    if (nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS) {
      log.resize(size);
      nvrtcGetProgramLog(program, log.data());
    }
    need(compiled, "the source does not compile: " + log);
  }
  need(nvrtcGetPTXSize(program, &size), "nvrtcGetPTXSize");
  std::string ptx(size, 0);
  need(nvrtcGetPTX(program, ptx.data()), "nvrtcGetPTX");
  ptx.resize(ptx.find('\0') == std::string::npos ? size : ptx.find('\0'));
  return Module(ptx);
}

}  // namespace tilepipe::check
