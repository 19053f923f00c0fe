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

struct Variable {
  std::string name;
  std::uint32_t alignment = 1;
  std::uint32_t bytes = 0;
  std::uint32_t at = 0;
  bool external = false;  // dynamic shared memory
};

struct Kernel {
  std::string name;
  std::vector<Instruction> code;
  std::vector<std::string> texts;  // of each instruction
  std::vector<SourceLine> lines;   // of each instruction
  std::map<SourceLine, SourceLine> inlined_at;
  std::map<int, std::string> files;
  std::vector<Variable> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared = 0;  // dynamic shared memory begins there
  std::uint32_t local_bytes = 0;
  std::uint32_t slots = 0;
  std::vector<std::pair<Slot, Word>> constants;
  std::vector<std::pair<Slot, std::string>> specials;

  // "bar.sync 0 at groups.cuh:46, from 01_double_buffer.cuh:20".
  std::string place_text(Place place) const {
    if (place >= code.size()) return "the end";
    std::string mnemonic = texts[place].substr(0, texts[place].find_first_of(" \t"));
    const SourceLine own = lines[place];
    if (own.line == 0) return mnemonic;
    SourceLine outer = own;
    for (int depth = 0; depth < 64 && inlined_at.count(outer) != 0; ++depth)
      outer = inlined_at.at(outer);
    std::string text = mnemonic + " at " + line_text(own);
    if (own < outer || outer < own) text += ", from " + line_text(outer);
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
