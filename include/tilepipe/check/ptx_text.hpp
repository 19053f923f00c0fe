// SPDX-License-Identifier: Apache-2.0
// PTX text taken apart: statements, labels, braces and directives, with no meaning yet.
#pragma once

#include <cctype>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilepipe::check::ptx {

// The text cannot be checked; the message says what is unknown, and where.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Statement {
  enum class Kind { instruction, directive, label, open, close };
  Kind kind;
  std::string text;
  std::size_t line;  // of the PTX text
};

inline std::string trimmed(const std::string& s) {
  const auto first = s.find_first_not_of(" \t\n\r"), last = s.find_last_not_of(" \t\n\r");
  return first == std::string::npos ? "" : s.substr(first, last - first + 1);
}
inline bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}
inline bool is_name(const std::string& s) {
  for (const char c : s)
    if (!is_name(c)) return false;
  return !s.empty();
}

// Comments become blanks; lines stay lines.
inline std::string without_comments(std::string text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '/' || (text[i + 1] != '/' && text[i + 1] != '*')) continue;
    const bool block = text[i + 1] == '*';
    std::size_t end = text.find(block ? "*/" : "\n", i + 2);
    end = end == std::string::npos ? text.size() : end + (block ? 2 : 0);
    for (; i < end; ++i)
      if (text[i] != '\n') text[i] = ' ';
    --i;
  }
  return text;
}

// Commas (or another separator) outside brackets and braces.
inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[' || c == '(' ? 1 : c == '}' || c == ']' || c == ')' ? -1 : 0;
    if (c == separator && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty() || !parts.empty()) parts.push_back(trimmed(part));
  return parts;
}

// The body of a function, between its braces.
inline std::vector<Statement> statements(const std::string& body, std::size_t line) {
  std::vector<Statement> all;
  std::string text;
  int braces = 0;  // of vectors inside an instruction
  const auto finish = [&](Statement::Kind kind) {
    const std::string s = trimmed(text);
    text.clear();
    if (!s.empty()) all.push_back({s[0] == '.' ? Statement::Kind::directive : kind, s, line});
  };
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    const bool blank = trimmed(text).empty();
    if (c == '\n') {
      if (trimmed(text).rfind(".loc", 0) == 0) finish(Statement::Kind::directive);
      ++line;
      text += ' ';
    } else if (c == ';') {
      finish(Statement::Kind::instruction);
    } else if ((c == '{' || c == '}') && blank && braces == 0) {
      all.push_back({c == '{' ? Statement::Kind::open : Statement::Kind::close, "", line});
      text.clear();
    } else if (c == ':' && braces == 0 && is_name(trimmed(text)) &&
               (i + 1 == body.size() || body[i + 1] != ':')) {
      finish(Statement::Kind::label);
    } else {
      braces += c == '{' ? 1 : c == '}' ? -1 : 0;
      text += c;
    }
  }
  if (!trimmed(text).empty())
    throw Unsupported("PTX line " + std::to_string(line) + ": no end of '" + trimmed(text) + "'");
  return all;
}

}  // namespace tilepipe::check::ptx
