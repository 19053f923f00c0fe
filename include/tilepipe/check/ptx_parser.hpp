// SPDX-License-Identifier: Apache-2.0
// Makes a kernel of its PTX text. Strict: what it does not know, it refuses by name.
#pragma once

#include <memory>
#include <set>

#include "ptx_declarations.hpp"
#include "ptx_lookup.hpp"

namespace tilepipe::check::ptx {

class KernelParser {
 public:
  KernelParser(const ModuleText& module, const ModuleText::Entry& entry) {
    kernel_.name = entry.name;
    kernel_.files = module.files;
    scopes_.push_back({0, {}, {}});
    constant(1);  // slot 0: the guard of an instruction without one
    new_slot();   // slot 1: takes what "_" throws away
    for (const std::string& text : split(entry.parameters, ',')) {
      if (text.empty()) continue;
      Variable v = variable(text);
      place(v, kernel_.parameter_bytes);
      kernel_.parameters.push_back(v);
      symbols_[v.name] = v.at;
    }
    const std::vector<Statement> all = statements(entry.body, entry.line);
    for (const Statement& s : all)
      if (s.kind == Statement::Kind::directive) declare_memory(s.text);
    for (const Variable& v : module.shared)
      if (!v.external && entry.body.find(v.name) != std::string::npos) add_shared(v);
    for (const Variable& v : module.shared)
      if (v.external && entry.body.find(v.name) != std::string::npos) add_shared(v);
    for (const std::string& text : module.variables) {
      const std::string declared = text.substr(0, text.find_first_of("=["));
      const std::string name = trimmed(declared).substr(trimmed(declared).find_last_of(" \t") + 1);
      if (entry.body.find(name) == std::string::npos) continue;
      variables_[name] = kernel_.variables.size();
      kernel_.variables.push_back(module_variable(text));
    }
    for (const Statement& s : all) {
      try {
        statement(s);
      } catch (const Unsupported& e) {
        throw Unsupported("PTX line " + std::to_string(s.line) + ", '" + s.text + "': " + e.what());
      }
    }
    add_instruction("exit");  // a body may end without one
    for (const Branch& b : branches_) kernel_.code[b.instruction].target = label(b);
  }

  Kernel take() { return std::move(kernel_); }

 private:
  struct Scope {
    std::size_t parent;
    std::map<std::string, Slot> registers;
    std::map<std::string, std::uint32_t> labels;
  };
  struct Branch {
    std::uint32_t instruction;
    std::size_t scope;
    std::string label;
  };

  Slot new_slot() { return kernel_.slots++; }
  Slot constant(Word value) {
    const auto [found, added] = constants_.emplace(value, 0);
    if (added) {
      found->second = new_slot();
      kernel_.constants.push_back({found->second, value});
    }
    return found->second;
  }

  void add_shared(Variable v) {
    std::uint32_t end = kernel_.static_shared;
    place(v, end);
    kernel_.static_shared = end;
    symbols_[v.name] = v.at;
  }
  void declare_memory(const std::string& text) {
    if (text.rfind(".shared", 0) == 0) add_shared(variable(text));
    if (text.rfind(".local", 0) != 0) return;
    Variable v = variable(text);
    place(v, kernel_.local_bytes);
    symbols_[v.name] = v.at;
  }

  void statement(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::open:
        scopes_.push_back({scope_, {}, {}});
        scope_ = scopes_.size() - 1;
        break;
      case Statement::Kind::close:
        scope_ = scopes_[scope_].parent;
        break;
      case Statement::Kind::label:
        scopes_[scope_].labels[s.text] = static_cast<std::uint32_t>(kernel_.code.size());
        break;
      case Statement::Kind::directive:
        directive(s.text);
        break;
      case Statement::Kind::instruction:
        instruction(s.text);
        break;
    }
  }

  void directive(const std::string& text) {
    const std::vector<std::string> words = tokens(text);
    if (words[0] == ".loc") {
      location(text, words);
    } else if (words[0] == ".reg") {
      const std::size_t type = text.find('.', 4);
      const std::size_t names = text.find_first_of(" \t", type);
      for (const std::string& name : split(text.substr(names), ',')) declare_registers(name);
    } else if (words[0] == ".param") {  // of a call: the caller's own memory
      Variable v = variable(text);
      place(v, kernel_.local_bytes);
      symbols_[v.name] = v.at;
      call_parameters_.insert(v.name);
    } else if (words[0] != ".shared" && words[0] != ".local" && words[0] != ".pragma") {
      throw Unsupported("unknown directive");
    }
  }
  // "name" or "name<count>".
  void declare_registers(const std::string& name) {
    const std::size_t range = name.find('<');
    if (range == std::string::npos) {
      scopes_[scope_].registers[name] = new_slot();
      return;
    }
    const int count = std::atoi(name.c_str() + range + 1);
    for (int i = 0; i < count; ++i)
      scopes_[scope_].registers[name.substr(0, range) + std::to_string(i)] = new_slot();
  }
  // .loc file line column[, function_name label[+offset], inlined_at file line column]
  void location(const std::string& text, const std::vector<std::string>& words) {
    if (words.size() < 3) throw Unsupported("unknown directive");
    const SourceLine line{std::atoi(words[1].c_str()), std::atoi(words[2].c_str())};
    if (line.line == 0) return;
    line_ = {line, line};
    const std::size_t inlined = text.find("inlined_at");
    if (inlined == std::string::npos) return;
    const std::vector<std::string> at = tokens(text.substr(inlined));
    const SourceLine caller{std::atoi(at.at(1).c_str()), std::atoi(at.at(2).c_str())};
    if (line < caller || caller < line) inlined_at_[line] = caller;
    line_.caller = caller_of(line);
  }
  // The first caller that is not of this library, by what has been said of inlining so far.
  SourceLine caller_of(SourceLine line) const {
    for (int depth = 0; depth < 64 && in_library(line); ++depth) {
      const auto caller = inlined_at_.find(line);
      if (caller == inlined_at_.end()) break;
      line = caller->second;
    }
    return line;
  }
  bool in_library(SourceLine line) const {
    const auto file = kernel_.files.find(line.file);
    return file != kernel_.files.end() &&
           file->second.find("include/tilepipe/") != std::string::npos;
  }

  void instruction(const std::string& text) {
    std::string rest = text;
    Slot guard = 0;
    bool guard_value = true;
    if (rest[0] == '@') {
      const std::size_t end = rest.find_first_of(" \t");
      if (end == std::string::npos) throw Unsupported("a guard without an instruction");
      guard_value = rest[1] != '!';
      guard = register_slot(rest.substr(guard_value ? 1 : 2, end - (guard_value ? 1 : 2)));
      rest = trimmed(rest.substr(end));
    }
    add_instruction(rest);
    kernel_.code.back().guard = guard;
    kernel_.code.back().guard_value = guard_value;
  }

  void add_instruction(const std::string& rest) {
    const std::size_t end = rest.find_first_of(" \t{");
    const std::string mnemonic = rest.substr(0, end);
    std::vector<std::string> operands =
        end == std::string::npos ? std::vector<std::string>{} : split(rest.substr(end), ',');
    const Definition& definition = definition_of(mnemonic, operands);
    if (mnemonic.rfind("call", 0) == 0) operands.clear();
    Instruction i;
    i.run = definition.run;
    i.space = definition.space;
    i.count = definition.count;
    i.order = definition.order;
    i.operands = static_cast<std::uint32_t>(operands.size());
    i.place = static_cast<Place>(kernel_.code.size());
    read_operands(i, shape(definition, operands), operands);
    if (i.space == Space::param && call_parameters_.count(symbol_of(operands[1])) != 0)
      i.space = Space::local;
    kernel_.code.push_back(i);
    kernel_.texts.push_back(rest);
    kernel_.lines.push_back(line_);
  }

  void read_operands(Instruction& i, const std::string& letters,
                     const std::vector<std::string>& operands) {
    std::size_t slot = 0, memory = 0, operand = 0;
    const auto put = [&](Slot s) { i.slot.at(slot++) = s; };
    for (std::size_t at = 0; at < letters.size(); ++at, ++operand) {
      const std::string& text = operands[operand];
      switch (letters[at]) {
        case 'd':
          put(destination(text));
          break;
        case 'r':
          put(source(text));
          break;
        case 'q': {
          const std::size_t bar = text.find('|');
          put(destination(trimmed(text.substr(0, bar))));
          put(bar == std::string::npos ? 1 : destination(trimmed(text.substr(bar + 1))));
          break;
        }
        case 'm':
          put(address(text, i.offset.at(memory++)));
          break;
        case 'l':
          branches_.push_back({static_cast<std::uint32_t>(kernel_.code.size()), scope_, text});
          break;
        case 'T': {  // "[map, {x, y}]"
          const auto parts = split(inside_of(text, '[', ']'), ',');
          if (parts.size() != 2) throw Unsupported("a tensor map without its coordinates");
          put(address("[" + parts[0] + "]", i.offset.at(memory++)));
          for (const std::string& part : vector(parts[1], letters[++at])) put(source(part));
          break;
        }
        default:  // D2, R4, ...
          for (const std::string& part : vector(text, letters[at + 1]))
            put(letters[at] == 'D' ? destination(part) : source(part));
          ++at;
      }
    }
  }
  static std::string inside_of(const std::string& text, char open, char close) {
    if (text.size() < 3 || text[0] != open || text.back() != close)
      throw Unsupported("an operand that should stand in brackets or braces");
    return text.substr(1, text.size() - 2);
  }
  // The parts of "{a, b}"; one may stand alone.
  static std::vector<std::string> vector(const std::string& text, char count) {
    if (count == '1' && text[0] != '{') return {text};
    const auto parts = split(inside_of(text, '{', '}'), ',');
    if (parts.size() != static_cast<std::size_t>(count - '0'))
      throw Unsupported("a vector of another length");
    return parts;
  }

  Slot register_slot(const std::string& name) const {
    for (std::size_t s = scope_;; s = scopes_[s].parent) {
      const auto found = scopes_[s].registers.find(name);
      if (found != scopes_[s].registers.end()) return found->second;
      if (s == 0) throw Unsupported("unknown name " + name);
    }
  }
  Slot destination(const std::string& text) const { return text == "_" ? 1 : register_slot(text); }
  Slot source(const std::string& text) {
    if (is_clock(text)) return 0;
    const std::size_t dot = text.find('.');
    if (text[0] == '%' && (dot != std::string::npos || is_special(text))) return special(text);
    if (text == "WARP_SZ") return constant(32);
    if (text[0] == '-' || std::isdigit(static_cast<unsigned char>(text[0])) != 0)
      return constant(number(text));
    const std::size_t plus = text.find('+');
    const auto symbol = symbols_.find(trimmed(text.substr(0, plus)));
    if (symbol != symbols_.end())
      return constant(symbol->second +
                      (plus == std::string::npos ? 0 : number(trimmed(text.substr(plus + 1)))));
    const auto variable = variables_.find(trimmed(text.substr(0, plus)));
    if (variable != variables_.end()) {
      kernel_.variable_uses.push_back(
          {new_slot(), variable->second,
           plus == std::string::npos ? 0 : number(trimmed(text.substr(plus + 1)))});
      return kernel_.variable_uses.back().slot;
    }
    return register_slot(text);
  }
  static bool is_special(const std::string& name) {
    for (const char* known :
         {"%tid", "%ntid", "%ctaid", "%nctaid", "%laneid", "%warpid", "%nwarpid", "%smid",
          "%lanemask_eq", "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge",
          "%dynamic_smem_size", "%total_smem_size"})
      if (name == known) return true;
    return false;
  }
  Slot special(const std::string& name) {
    if (!is_special(name.substr(0, name.find('.'))))
      throw Unsupported("unknown special register " + name);
    const auto [found, added] = specials_.emplace(name, 0);
    if (added) {
      found->second = new_slot();
      kernel_.specials.push_back({found->second, name});
    }
    return found->second;
  }
  // "[register+offset]", "[symbol+offset]".
  Slot address(const std::string& text, std::int64_t& offset) {
    const std::string inside = inside_of(text, '[', ']');
    const std::size_t plus = inside.find('+');
    if (plus != std::string::npos)
      offset = static_cast<std::int64_t>(number(trimmed(inside.substr(plus + 1))));
    return source(trimmed(inside.substr(0, plus)));
  }
  // What "[symbol+offset]" names.
  static std::string symbol_of(const std::string& address) {
    return trimmed(address.substr(1, address.find_first_of("+]") - 1));
  }
  std::uint32_t label(const Branch& b) const {
    for (std::size_t s = b.scope;; s = scopes_[s].parent) {
      const auto found = scopes_[s].labels.find(b.label);
      if (found != scopes_[s].labels.end()) return found->second;
      if (s == 0) throw Unsupported("unknown label " + b.label);
    }
  }

  Kernel kernel_;
  std::vector<Scope> scopes_;
  std::size_t scope_ = 0;
  InstructionLine line_;
  std::map<SourceLine, SourceLine> inlined_at_;
  std::map<Word, Slot> constants_;
  std::map<std::string, Slot> specials_;
  std::map<std::string, std::uint32_t> symbols_;
  std::set<std::string> call_parameters_;
  std::map<std::string, std::size_t> variables_;  // of the module that the kernel names
  std::vector<Branch> branches_;
};

}  // namespace tilepipe::check::ptx
