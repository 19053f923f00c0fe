// SPDX-License-Identifier: Apache-2.0
// Launches a kernel of library_kernels.cu with data whose value says its place, and compares.
#pragma once

#include <tilepipe/check/launch.hpp>

#include <cstdio>
#include <string>
#include <tilepipe/core/tile.hpp>
#include <tilepipe/host/tensor_rules.hpp>
#include <vector>

namespace check_test {

using namespace tilepipe::check;

// What the end of a kernel's name says: __t<threads>u<teams>e<elements>_<kind>.
struct Shape {
  int threads = 0, teams = 0, elements = 0;
  std::string kind;
};

inline Shape shape_of(const std::string& kernel) {
  Shape shape;
  char kind[32] = {};
  const auto at = kernel.rfind("__t");
  if (at == std::string::npos ||
      std::sscanf(kernel.c_str() + at, "__t%du%de%d_%31s", &shape.threads, &shape.teams,
                  &shape.elements, kind) != 4)
    throw Unsupported(kernel + " says no shape");
  shape.kind = kind;
  return shape;
}

inline std::uint32_t value_at(long long i) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 0x9e3779b1u + 0x7f4a7c15u;
  h ^= h >> 15;
  return h * 0x85ebca77u | 1u;
}

// The kernels' first argument; those of tensor copies take two sources with maps behind it.
struct Arguments {
  Address in, in2, out;
  int tiles;
  unsigned seed;
};

constexpr int cut_cols = 30;  // of rows of 32 that are stored

// What element i of tile t of a team must be; false where it may be anything.
inline bool expected(const Shape& s, int tiles, int team, int t, int i, std::uint32_t& value) {
  const long long words = 1ll * s.teams * tiles * s.elements;
  const int turned = (i + s.elements / 3) % s.elements;
  const long long dense = (1ll * team * tiles + t) * s.elements + turned;
  value = 3 * value_at(dense);
  if (s.kind == "exact") return true;
  if (s.kind == "empty" || (s.kind == "cut" && i % 32 >= cut_cols)) {
    value = s.kind == "empty" ? 0 : ~0u;  // zeros; what is not stored
    return true;
  }
  if (s.kind == "cut") return true;
  if (s.kind == "pair") {
    value += value_at(words + dense);
    return true;
  }
  // A matrix tile of 16 x 32 that sticks out of the source.
  const int row = team * 16 - 2 + turned / 32, col = t * 32 - 4 + turned % 32, pitch = tiles * 32;
  const bool inside = row >= 0 && row < 16 - 5 && col >= 0 && col < pitch - 6;
  value = inside ? 3 * value_at(1ll * row * pitch + col) : 0;
  return inside || s.kind == "zero";
}

using Matrix = tilepipe::Tile<std::uint32_t, 16, 32>;
inline tilepipe::TensorSource<Matrix> mapped(GlobalMemory& memory, Address data, long long rows,
                                             int cols, int pitch) {
  const auto view = tilepipe::Source<std::uint32_t, 2>::pitched(
      reinterpret_cast<const std::uint32_t*>(data), rows, cols, pitch);
  if (rows > 0) return {tensor_map(tilepipe::host::tensor_map_request<Matrix>(view)), view, 1};
  const Address zero = memory.add(std::vector<std::uint32_t>(4));
  return {tensor_map(tilepipe::host::one_zero_request<Matrix>(reinterpret_cast<void*>(zero))), view,
          2};
}

struct Outcome {
  Report report;
  std::string wrong;  // empty where all results are right
};

// Without schedules: all that differ.
inline Outcome launch_library_kernel(const Kernel& kernel, int tiles,
                                     const std::vector<Schedule>& all) {
  const Shape shape = shape_of(kernel.name);
  const long long words = 1ll * shape.teams * tiles * shape.elements;
  std::vector<std::uint32_t> in(static_cast<std::size_t>(2 * words) + 1024);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = value_at(static_cast<long long>(i));
  GlobalMemory memory;
  const Address source = memory.add(in);
  const Address target = memory.add_output<std::uint32_t>(static_cast<std::size_t>(words));
  const Arguments arguments{source, source + 4 * static_cast<Address>(words), target, tiles, 7};
  Launch launch(kernel, memory, {static_cast<std::uint32_t>(shape.threads)});
  if (kernel.parameters.size() == 1) {
    launch.arguments(arguments);
  } else {
    const long long rows = shape.kind == "empty"  ? 0
                           : shape.kind == "zero" ? (tiles > 0 ? 16 - 5 : 0)
                                                  : words / 32;
    const bool cut = shape.kind == "zero";
    launch.arguments(arguments,
                     mapped(memory, source, rows, cut ? tiles * 32 - 6 : 32, cut ? tiles * 32 : 32),
                     mapped(memory, target, words / 32, shape.kind == "cut" ? cut_cols : 32, 32));
  }
  Outcome outcome;
  if (all.empty()) {
    outcome.report = search(launch, 50);
    return outcome;
  }
  const GlobalMemory before = memory;
  for (const Schedule& schedule : all) {
    memory = before;
    const Report report = run(launch, schedule);
    outcome.report.add(report);
    if (!report.clean() || !outcome.wrong.empty()) continue;
    const auto out = memory.read<std::uint32_t>(target);
    for (int team = 0; team < shape.teams; ++team)
      for (int t = 0; t < tiles; ++t)
        for (int i = 0; i < shape.elements; ++i) {
          std::uint32_t want = 0;
          const auto at = static_cast<std::size_t>((1ll * team * tiles + t) * shape.elements + i);
          if (expected(shape, tiles, team, t, i, want) && out[at] != want)
            outcome.wrong = "tile " + std::to_string(t) + ", element " + std::to_string(i) +
                            " is " + std::to_string(out[at]) + ", not " + std::to_string(want);
        }
  }
  return outcome;
}

}  // namespace check_test
