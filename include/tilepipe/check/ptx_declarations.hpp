// SPDX-License-Identifier: Apache-2.0
// PTX declarations: variables of shared and local memory, parameters, and a module's parts.
#pragma once

#include <cstdlib>

#include "ptx_kernel.hpp"
#include "ptx_text.hpp"

namespace tilepipe::check::ptx {

inline std::uint32_t bytes_of_type(const std::string& type) {
  if (type == ".pred") return 1;
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string::npos) return 0;
  return static_cast<std::uint32_t>(std::atoi(type.c_str() + digits)) / 8;
}

inline std::vector<std::string> tokens(const std::string& text) {
  std::vector<std::string> all;
  std::string token;
  for (const char c : text + " ") {
    if (c != ' ' && c != '\t' && c != '\n') {
      token += c;
    } else if (!token.empty()) {
      all.push_back(token);
      token.clear();
    }
  }
  return all;
}

// ".shared .align 16 .b8 name[64]", ".param .u64 .ptr .align 1 name", ...
inline Variable variable(const std::string& text) {
  Variable v;
  std::uint32_t element = 0;
  const std::vector<std::string> words = tokens(text);
  if (words.empty()) throw Unsupported("an empty declaration");
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == ".align") {
      v.alignment = static_cast<std::uint32_t>(std::atoi(words[++i].c_str()));
    } else if (word == ".extern") {
      v.external = true;
    } else if (word == ".ptr") {
      ++i;  // the alignment of what a pointer points to says nothing about the pointer
      if (i < words.size() && words[i] != ".align") ++i;
      ++i;
    } else if (word[0] == '.' && bytes_of_type(word) != 0) {
      element = bytes_of_type(word);
    } else if (word != ".shared" && word != ".param" && word != ".local" && word != ".global" &&
               word != ".const" && word != ".visible" && word != ".weak") {
      throw Unsupported("'" + word + "' in the declaration '" + text + "'");
    }
  }
  std::string name = words.back();
  std::uint32_t count = 1;
  const std::size_t bracket = name.find('[');
  if (bracket != std::string::npos) {
    count = static_cast<std::uint32_t>(std::atoi(name.c_str() + bracket + 1));
    name.resize(bracket);
  }
  if (!is_name(name) || element == 0) throw Unsupported("the declaration '" + text + "'");
  v.name = name;
  v.count = count;
  v.bytes = element * count;
  if (v.alignment < element) v.alignment = element;
  return v;
}

// Places a variable behind `end`, which it moves.
inline void place(Variable& v, std::uint32_t& end) {
  v.at = (end + v.alignment - 1) / v.alignment * v.alignment;
  end = v.at + v.bytes;
}

// A number as PTX writes it; 0f and 0d are followed by a float's bits.
inline Word number(const std::string& text) {
  if (text.rfind("0f", 0) == 0 || text.rfind("0F", 0) == 0 || text.rfind("0d", 0) == 0 ||
      text.rfind("0D", 0) == 0)
    return std::strtoull(text.c_str() + 2, nullptr, 16);
  // A decimal fraction is a double that takes the instruction's type: zero alone is the same in
  // all.
  if (text.find_first_not_of("0.") == std::string::npos && text.rfind("0.", 0) == 0) return 0;
  char* end = nullptr;
  const Word magnitude = std::strtoull(text.c_str() + (text[0] == '-'), &end, 0);
  if (text.empty() || (*end != 0 && std::string(end) != "U"))
    throw Unsupported("unknown number " + text);
  return text[0] == '-' ? ~magnitude + 1 : magnitude;
}

// ".const .align 4 .b8 name[64] = {1, 2}": what is not said is zero.
inline ModuleVariable module_variable(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string declared = trimmed(text.substr(0, equals));
  const Variable v = variable(declared);
  ModuleVariable result{v.name, std::vector<unsigned char>(v.bytes, 0), v.external};
  if (equals == std::string::npos) return result;
  std::string values = trimmed(text.substr(equals + 1));
  if (!values.empty() && values[0] == '{') values = values.substr(1, values.size() - 2);
  const std::size_t each = v.bytes / v.count;
  std::size_t at = 0;
  for (const std::string& value : split(values, ',')) {
    if (value.empty()) continue;
    const Word word = number(value);
    if (at + each > v.bytes) throw Unsupported("too many values of '" + declared + "'");
    std::memcpy(result.bytes.data() + at, &word, each);
    at += each;
  }
  return result;
}

// A module's text by parts; bodies are read when a kernel is asked for.
struct ModuleText {
  struct Entry {
    std::string name;
    std::string parameters;
    std::string body;
    std::size_t line = 0;
  };
  std::vector<Entry> entries;
  std::vector<Variable> shared;
  std::vector<std::string> variables;  // declarations, read where a kernel names them
  std::map<int, std::string> files;
};

inline ModuleText module_text(const std::string& source) {
  const std::string text = without_comments(source);
  ModuleText module;
  std::string pending;
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      const std::string directive = trimmed(pending);
      const std::vector<std::string> words = tokens(directive);
      if (!words.empty() && words[0] == ".file" && words.size() >= 3) {
        const std::size_t open = directive.find('"'), close = directive.find('"', open + 1);
        if (close != std::string::npos)
          module.files[std::atoi(words[1].c_str())] = directive.substr(open + 1, close - open - 1);
        pending.clear();
      } else if (!words.empty() &&
                 (words[0] == ".version" || words[0] == ".target" || words[0] == ".address_size")) {
        pending.clear();
      } else {
        pending += ' ';
      }
    } else if (c == ';') {
      if (pending.find(".shared") != std::string::npos)
        module.shared.push_back(variable(trimmed(pending)));
      else if (pending.find(".const") != std::string::npos ||
               pending.find(".global") != std::string::npos)
        module.variables.push_back(trimmed(pending));
      pending.clear();
    } else if (c == '{' && pending.find('=') != std::string::npos) {
      for (; i < text.size() && text[i] != ';'; ++i) {  // a variable's values
        pending += text[i] == '\n' ? ' ' : text[i];
        line += text[i] == '\n';
      }
      --i;
    } else if (c == '{') {
      const std::size_t begin = i + 1, first_line = line;
      for (int depth = 1; depth > 0 && ++i < text.size();) {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        line += text[i] == '\n';
      }
      const std::size_t entry = pending.find(".entry");
      if (entry != std::string::npos) {
        const std::size_t open = pending.find('(', entry), close = pending.find(')', entry);
        ModuleText::Entry found;
        found.name = trimmed(pending.substr(
            entry + 6, open == std::string::npos ? std::string::npos : open - entry - 6));
        if (open != std::string::npos)
          found.parameters = pending.substr(open + 1, close - open - 1);
        found.body = text.substr(begin, i - begin);
        found.line = first_line;
        module.entries.push_back(found);
      }
      pending.clear();
    } else {
      pending += c;
    }
  }
  return module;
}

}  // namespace tilepipe::check::ptx
