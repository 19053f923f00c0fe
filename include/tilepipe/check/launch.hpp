// SPDX-License-Identifier: Apache-2.0
// Loads PTX, launches one block of a kernel under one or more schedules, and reports.
#pragma once

#include <fstream>
#include <sstream>

#include "ptx_parser.hpp"

namespace tilepipe::check {

using Dim3 = ptx::Dim3;
using Kernel = ptx::Kernel;
using ptx::Unsupported;

// The PTX of one architecture, as nvcc -ptx or NVRTC makes it. With -lineinfo, findings name lines.
class Module {
 public:
  explicit Module(const std::string& ptx) : text_(ptx::module_text(ptx)) {}
  static Module from_file(const std::string& path) { return Module(read_file(path)); }
  static std::string read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw Unsupported("cannot read " + path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : text_.entries) all.push_back(entry.name);
    return all;
  }
  // By its name in PTX: mangled, unless it is extern "C".
  Kernel kernel(const std::string& name) const {
    for (const auto& entry : text_.entries)
      if (entry.name == name) return ptx::KernelParser(text_, entry).take();
    throw Unsupported("the PTX has no kernel " + name);
  }

 private:
  ptx::ModuleText text_;
};

// One block to run, of a grid of blocks.
struct Launch {
  const Kernel& kernel;
  GlobalMemory& memory;
  Dim3 block;
  Dim3 grid;
  Dim3 index{0, 0, 0};  // of the block
  std::uint32_t dynamic_shared = 0;
  std::vector<unsigned char> parameters;
  std::map<std::string, std::vector<unsigned char>> variables;  // see variable()
  std::size_t max_findings = 16;                                // then the run ends
  bool lint_reuse = false;                                      // report Kind::reuse_proxy too
  std::uint64_t max_instructions = 1u << 30;  // of all threads; then the run counts as stuck

  Launch(const Kernel& k, GlobalMemory& m, Dim3 threads) : kernel(k), memory(m), block(threads) {}

  // The kernel's arguments: addresses of buffers, numbers, trivial structs. Sizes must agree.
  template <class... Arguments>
  Launch& arguments(const Arguments&... all) {
    if (sizeof...(all) != kernel.parameters.size())
      throw Unsupported("kernel " + kernel.name + " takes " +
                        std::to_string(kernel.parameters.size()) + " arguments, not " +
                        std::to_string(sizeof...(all)));
    std::vector<unsigned char> bytes(kernel.parameter_bytes, 0);
    std::size_t n = 0;
    (put(bytes, n++, &all, sizeof(all)), ...);
    parameters = bytes;
    return *this;
  }
  // What a __constant__ or __device__ variable that the kernel names holds at first, by its name in
  // PTX: as cudaMemcpyToSymbol would set it. Else it holds what the source says, or zeros.
  template <class T>
  Launch& variable(const std::string& name, const T& value) {
    for (const ptx::ModuleVariable& v : kernel.variables) {
      if (v.name != name) continue;
      if (v.bytes.size() != sizeof(T))
        throw Unsupported("variable " + name + " has " + std::to_string(v.bytes.size()) +
                          " bytes, not " + std::to_string(sizeof(T)));
      std::vector<unsigned char>& bytes = variables[name];
      bytes.resize(sizeof(T));
      std::memcpy(bytes.data(), &value, sizeof(T));
      return *this;
    }
    throw Unsupported("kernel " + kernel.name + " names no variable " + name);
  }

 private:
  void put(std::vector<unsigned char>& into, std::size_t n, const void* from,
           std::size_t bytes) const {
    const ptx::Variable& to = kernel.parameters[n];
    if (to.bytes != bytes)
      throw Unsupported("argument " + std::to_string(n) + " of kernel " + kernel.name + " has " +
                        std::to_string(to.bytes) + " bytes, not " + std::to_string(bytes));
    std::memcpy(into.data() + to.at, from, bytes);
  }
};

// Runs the block once. Writes to the launch's memory stay there. A chooser takes the place of the
// turns of an ordered schedule.
Report run(const Launch& launch, const Schedule& schedule, StepChooser* chooser = nullptr);

// Runs the block under each schedule, each on the memory as it was; the last run's writes stay.
inline Report run(const Launch& launch, const std::vector<Schedule>& schedules) {
  const GlobalMemory before = launch.memory;
  Report all;
  for (const Schedule& schedule : schedules) {
    launch.memory = before;
    all.add(run(launch, schedule));
  }
  return all;
}

// Both fixed orders, and `seeds` random ones.
inline std::vector<Schedule> schedules(int seeds) {
  std::vector<Schedule> all{Schedule::late(), Schedule::early()};
  for (int seed = 1; seed <= seeds; ++seed)
    all.push_back(Schedule::seeded(static_cast<std::uint64_t>(seed)));
  return all;
}

}  // namespace tilepipe::check

#include "ptx_machine.hpp"
#include "search.hpp"
