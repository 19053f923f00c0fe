// SPDX-License-Identifier: Apache-2.0
// Kernels of the examples from their PTX, and data for them.
#pragma once

#include <cstdint>
#include <string>
#include <tilepipe/host/tensor_rules.hpp>
#include <vector>

#include "ptx_files.hpp"

namespace check_test {

inline Kernel kernel_named(const std::string& part) {
  const Module module = Module::from_file(ptx_file("examples"));
  for (const std::string& name : module.names())
    if (name.find(part) != std::string::npos) return module.kernel(name);
  throw Unsupported("no kernel " + part);
}

inline std::uint32_t noise(std::size_t i) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 0x9e3779b1u + 1;
  h ^= h >> 15;
  return h * 0x85ebca77u;
}
template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<T>(noise(i) % 251);
  return all;
}

// The argument for a source with a tensor map; below 9.0 the view alone is read.
template <class Tile, int Rank>
tilepipe::TensorSource<Tile> mapped(const tilepipe::Source<float, Rank>& view) {
  return {tilepipe::check::tensor_map(tilepipe::host::tensor_map_request<Tile>(view)), view, 1};
}

}  // namespace check_test
