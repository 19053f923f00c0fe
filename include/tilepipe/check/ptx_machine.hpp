// SPDX-License-Identifier: Apache-2.0
// Runs a kernel's instructions for the threads of a block.
#pragma once

#include "launch.hpp"

namespace tilepipe::check {

namespace ptx {

inline Word special_value(const std::string& name, const Launch& launch, std::uint32_t t) {
  const Dim3 tid{t % launch.block.x, t / launch.block.x % launch.block.y,
                 t / (launch.block.x * launch.block.y)};
  const std::string base = name.substr(0, name.find('.'));
  const Word lane = Word{1} << t % 32;
  if (base == "%laneid") return t % 32;
  if (base == "%warpid") return t / 32;
  if (base == "%nwarpid") return (count(launch.block) + 31) / 32;
  if (base == "%smid") return 0;
  if (base == "%lanemask_eq") return lane;
  if (base == "%lanemask_lt") return lane - 1;
  if (base == "%lanemask_le") return 2 * lane - 1;
  if (base == "%lanemask_gt") return 0xffffffffu & ~(2 * lane - 1);
  if (base == "%lanemask_ge") return 0xffffffffu & ~(lane - 1);
  if (base == "%dynamic_smem_size") return launch.dynamic_shared;
  if (base == "%total_smem_size") return launch.kernel.static_shared + launch.dynamic_shared;
  const Dim3& d = base == "%tid"     ? tid
                  : base == "%ntid"  ? launch.block
                  : base == "%ctaid" ? launch.index
                                     : launch.grid;
  return name.back() == 'x' ? d.x : name.back() == 'y' ? d.y : d.z;
}

}  // namespace ptx

inline Report run(const Launch& launch, const Schedule& schedule, StepChooser* chooser) {
  const Kernel& kernel = launch.kernel;
  const std::uint32_t threads = count(launch.block);
  if (launch.parameters.size() != kernel.parameter_bytes)
    throw Unsupported("kernel " + kernel.name + " was given no arguments");
  Block block(threads, kernel.static_shared + launch.dynamic_shared, launch.memory, schedule,
              [&](Place place) { return kernel.place_text(place); });
  block.set_limits(launch.max_findings, launch.lint_reuse);
  block.set_chooser(chooser);

  std::vector<Address> variables;
  for (const ptx::ModuleVariable& v : kernel.variables) {
    if (v.external) throw Unsupported("variable " + v.name + ", which another module defines");
    const auto given = launch.variables.find(v.name);
    variables.push_back(
        launch.memory.add(given == launch.variables.end() ? v.bytes : given->second));
  }
  std::vector<std::vector<ptx::Word>> registers(threads, std::vector<ptx::Word>(kernel.slots, 0));
  std::vector<std::vector<unsigned char>> local(
      threads, std::vector<unsigned char>(kernel.local_bytes, 0xff));
  std::vector<ptx::Context> contexts;
  contexts.reserve(threads);
  for (std::uint32_t t = 0; t < threads; ++t) {
    for (const auto& [slot, value] : kernel.constants) registers[t][slot] = value;
    for (const auto& [slot, name] : kernel.specials)
      registers[t][slot] = ptx::special_value(name, launch, t);
    for (const ptx::VariableUse& use : kernel.variable_uses)
      registers[t][use.slot] = variables[use.variable] + use.offset;
    contexts.push_back(
        {block, t, registers[t].data(), launch.parameters, local[t], 0, 0, contexts.data()});
  }

  std::vector<unsigned char> reached(kernel.code.size(), 0);
  std::uint64_t left = launch.max_instructions;
  block.run([&](std::uint32_t t) {
    ptx::Context& c = contexts[t];
    const Thread& thread = block.threads()[t];
    while (!thread.stop) {
      const ptx::Instruction& i = kernel.code[c.pc++];
      if (((c.r[i.guard] & 1) != 0) == i.guard_value) {
        reached[i.place] = 1;
        const ptx::Word before = c.r[i.slot[0]];
        i.run(c, i);
        if (thread.repeat) {  // its turn has not come
          c.r[i.slot[0]] = before;
          --c.pc;
        }
      }
      if (--left == 0) {
        block.report(Kind::deadlock, i.place, no_place,
                     "thread " + std::to_string(t) + " is still busy after " +
                         std::to_string(launch.max_instructions) + " instructions, at " +
                         block.at(i.place));
        block.give_up();
        return;
      }
    }
  });
  for (const Address variable : variables) launch.memory.release(variable);
  if (chooser != nullptr) chooser->end(block);
  Report report = block.result();
  report.instructions = launch.max_instructions - left;
  report.reached = std::move(reached);
  return report;
}

}  // namespace tilepipe::check
