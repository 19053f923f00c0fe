// SPDX-License-Identifier: Apache-2.0
// Prints which path a loader takes, and why.
#pragma once

#include <cstdio>
#include <tilepipe/host/plan.hpp>
#include <tilepipe/tilepipe.cuh>

namespace support {

// One line: what the loader does on an architecture (75, 80, 90, ...).
template <class Loader>
void print_path(const char* loader, int arch) {
  const tilepipe::Choice choice = Loader::choice(arch);
  std::printf("%s on %d: %s, %d B at once: %s\n", loader, arch,
              tilepipe::host::name_of(choice.path), choice.width, choice.reason);
}

}  // namespace support
