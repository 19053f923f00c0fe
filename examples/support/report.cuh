// SPDX-License-Identifier: Apache-2.0
// Prints which path a loader takes, and why.
#pragma once

#include <cstdio>
#include <tilepipe/tilepipe.cuh>

namespace support {

inline const char* name_of(tilepipe::Path path) {
  switch (path) {
    case tilepipe::Path::registers:
      return "registers";
    case tilepipe::Path::cp_async:
      return "cp_async";
    case tilepipe::Path::bulk:
      return "bulk";
    case tilepipe::Path::tensor:
      return "tensor";
    case tilepipe::Path::libcudacxx:
      return "libcudacxx";
    default:
      return "automatic";
  }
}

// One line: what the loader does on an architecture (75, 80, 90, ...).
template <class Loader>
void print_path(const char* loader, int arch) {
  const tilepipe::Choice choice = Loader::choice(arch);
  std::printf("%s on %d: %s, %d bytes at once: %s\n", loader, arch, name_of(choice.path),
              choice.width, choice.reason);
}

}  // namespace support
