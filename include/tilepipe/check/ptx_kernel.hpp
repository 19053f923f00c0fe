// SPDX-License-Identifier: Apache-2.0
// A kernel ready to run: its code, memory needs, parameters, and source lines.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ptx_instruction.hpp"

namespace tilepipe::check::ptx {

struct SourceLine {
  int file = 0, line = 0;
  bool operator<(const SourceLine& other) const {
    return file != other.file ? file < other.file : line < other.line;
  }
};

// Where an instruction is written, and the call outside the library that it was inlined into.
struct InstructionLine {
  SourceLine own;
  SourceLine caller;
};

struct Variable {
  std::string name;
  std::uint32_t alignment = 1;
  std::uint32_t count = 1;  // elements
  std::uint32_t bytes = 0;
  std::uint32_t at = 0;
  bool external = false;  // dynamic shared memory
};

// A variable of the module, in constant or global memory, with what it holds at first.
struct ModuleVariable {
  std::string name;
  std::vector<unsigned char> bytes;
  bool external = false;
};
// A register that holds an address of it.
struct VariableUse {
  Slot slot;
  std::size_t variable;
  Word offset;
};

struct Kernel {
  std::string name;
  std::vector<Instruction> code;
  std::vector<std::string> texts;  // of each instruction
  std::vector<InstructionLine> lines;
  std::map<int, std::string> files;
  std::vector<Variable> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared = 0;  // dynamic shared memory begins there
  std::uint32_t local_bytes = 0;
  std::uint32_t slots = 0;
  std::vector<std::pair<Slot, Word>> constants;
  std::vector<std::pair<Slot, std::string>> specials;
  std::vector<ModuleVariable> variables;
  std::vector<VariableUse> variable_uses;

  // "bar.sync 0 at groups.cuh:46, from 01_double_buffer.cuh:20".
  std::string place_text(Place place) const {
    if (place >= code.size()) return "the end";
    std::string mnemonic = texts[place].substr(0, texts[place].find_first_of(" \t{"));
    const InstructionLine& line = lines[place];
    if (line.own.line == 0) return mnemonic;
    std::string text = mnemonic + " at " + line_text(line.own);
    if (line.own < line.caller || line.caller < line.own)
      text += ", from " + line_text(line.caller);
    return text;
  }

 private:
  std::string line_text(const SourceLine& line) const {
    const auto found = files.find(line.file);
    std::string file = found == files.end() ? "?" : found->second;
    file = file.substr(file.find_last_of('/') + 1);
    return file + ":" + std::to_string(line.line);
  }
};

}  // namespace tilepipe::check::ptx
