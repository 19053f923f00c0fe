// SPDX-License-Identifier: Apache-2.0
// Kernels of a few lines of PTX, written in a test.
#pragma once

#include <tilepipe/check/launch.hpp>

#include "support/catch.hpp"

namespace check_test {

using namespace tilepipe::check;

inline std::string kernel_text(const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n"
         "{\n.reg .pred %p<4>;\n.reg .b16 %rs<4>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<10>;\n"
         ".shared .align 16 .b8 s[512];\n"
         "ld.param.u64 %rd9, [k_param_0];\nmov.u32 %r9, %tid.x;\n" +
         body + "\nret;\n}\n";
}

// Runs a body whose %rd9 is a buffer of those words, in `threads` threads, and leaves them there.
inline Report run_on(std::vector<std::uint32_t>& words, const std::string& body,
                     std::uint32_t threads) {
  const Module module(kernel_text(body));
  const Kernel kernel = module.kernel("k");
  GlobalMemory memory;
  const Address buffer = memory.add(words);
  Launch launch(kernel, memory, {threads});
  launch.arguments(buffer);
  const Report report = run(launch, Schedule::late());
  words = memory.read<std::uint32_t>(buffer);
  return report;
}
// The same on 16 words of ones.
inline Report run_body(const std::string& body, std::vector<std::uint32_t>* out = nullptr,
                       std::uint32_t threads = 1) {
  std::vector<std::uint32_t> words(16, ~0u);
  const Report report = run_on(words, body, threads);
  if (out != nullptr) *out = words;
  return report;
}
inline std::uint32_t result_of(const std::string& body) {
  std::vector<std::uint32_t> out;
  const Report report = run_body(body + "\nst.global.u32 [%rd9], %r1;", &out);
  INFO(body << "\n" << report.text());
  CHECK(report.clean());
  return out[0];
}

}  // namespace check_test
