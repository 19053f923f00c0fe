// SPDX-License-Identifier: Apache-2.0
// Which PTX the tests read: CHECK_PTX_DIR/<name>_<arch>.ptx, the architecture from the environment.
#pragma once

#include <tilepipe/check/launch.hpp>

#include <cstdlib>
#include <string>

namespace check_test {

using namespace tilepipe::check;

inline int ptx_arch() {
  const char* arch = std::getenv("CHECK_ARCH");
  return arch == nullptr ? 90 : std::atoi(arch);
}
inline std::string ptx_file(const std::string& name) {
  return std::string(CHECK_PTX_DIR) + "/" + name + "_" + std::to_string(ptx_arch()) + ".ptx";
}

}  // namespace check_test
