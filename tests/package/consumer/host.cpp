// SPDX-License-Identifier: Apache-2.0
// Host code that uses the core and asks for the version.
#include <tilepipe/core/tile.hpp>
#include <tilepipe/version.hpp>

#include <cstdio>
#include <string>

int main() {
  static_assert(__cplusplus >= 201703L, "the target asks for C++17");
  using Tile = tilepipe::Tile<float, 16, 8>;
  const std::string version = std::to_string(TILEPIPE_VERSION_MAJOR) + "." +
                              std::to_string(TILEPIPE_VERSION_MINOR) + "." +
                              std::to_string(TILEPIPE_VERSION_PATCH);
  std::printf("tilepipe %s, a tile has %d bytes\n", version.c_str(), int(sizeof(Tile)));
  return version == EXPECTED_VERSION && sizeof(Tile) == 16 * 8 * 4 ? 0 : 1;
}
