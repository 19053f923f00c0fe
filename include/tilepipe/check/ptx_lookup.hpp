// SPDX-License-Identifier: Apache-2.0
// All instructions that the checker knows, and how one is found by its mnemonic and operands.
#pragma once

#include "ptx_atomic.hpp"
#include "ptx_bits.hpp"
#include "ptx_bulk_store.hpp"
#include "ptx_control.hpp"
#include "ptx_half.hpp"
#include "ptx_matrix.hpp"
#include "ptx_memory.hpp"
#include "ptx_sync.hpp"
#include "ptx_tensor.hpp"
#include "ptx_text.hpp"

namespace tilepipe::check::ptx {

// All instructions that the checker knows.
inline const Table& instructions() {
  static const Table table = [] {
    Table all;
    add_integer_instructions(all);
    add_bit_instructions(all);
    add_float_instructions(all);
    add_conversion_instructions(all);
    add_half_instructions(all);
    add_matrix_instructions(all);
    add_atomic_instructions(all);
    add_memory_instructions(all);
    add_sync_instructions(all);
    add_bulk_store_instructions(all);
    add_tensor_instructions(all);
    add_control_instructions(all);
    return all;
  }();
  return table;
}

inline bool is_clock(const std::string& text) {
  return text == "%clock64" || text == "%clock" || text == "%globaltimer";
}

// Matrix loads and stores: the shape comes before the count, and both before the rest.
inline std::string canonical_matrix(const std::vector<std::string>& parts) {
  std::string shape, count, rest;
  for (std::size_t n = 3; n < parts.size(); ++n)
    (parts[n][0] == 'm' ? shape : parts[n][0] == 'x' ? count : rest) += "." + parts[n];
  return parts[0] + ".sync.aligned" + shape + count + rest;
}
// Loads, stores and atomic accesses as the table has them: without what only caches heed and
// without scopes, which differ only between blocks; the order and the space first.
inline std::string canonical(const std::string& mnemonic) {
  const std::vector<std::string> parts = split(mnemonic, '.');
  const std::string& verb = parts[0];
  if (verb == "ldmatrix" || verb == "stmatrix") return canonical_matrix(parts);
  if (verb != "ld" && verb != "st" && verb != "atom" && verb != "red") return mnemonic;
  const auto among = [](const std::string& part, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* n) { return part == n; });
  };
  std::string order, space, rest;
  bool scoped = false;
  for (std::size_t n = 1; n < parts.size(); ++n) {
    const std::string& part = parts[n];
    if (part.rfind("L1::", 0) == 0 || (part.rfind("L2::", 0) == 0 && part != "L2::cache_hint") ||
        among(part, {"weak", "ca", "cg", "cs", "lu", "cv", "wb", "wt"}))
      continue;
    if (among(part, {"cta", "cluster", "gpu", "sys"}))
      scoped = true;
    else if (among(part, {"relaxed", "acquire", "release", "acq_rel", "volatile"}))
      order = "." + part;
    else if (among(part, {"global", "shared", "shared::cta"}))
      space = part == "global" ? ".global" : ".shared";
    else
      rest += "." + part;
  }
  if (scoped && order.empty() && (verb == "ld" || verb == "st")) return mnemonic;
  return verb + order + space + rest;
}
// The definition of an instruction, or a refusal that names it.
inline const Definition& definition_of(const std::string& mnemonic,
                                       const std::vector<std::string>& operands) {
  std::string key = canonical(mnemonic);
  const auto parts = [](const std::string& vector) {
    return std::to_string(split(vector.substr(1, vector.size() - 2), ',').size());
  };
  if (mnemonic.rfind("mov.", 0) == 0 && operands.size() == 2) {
    if (operands[0][0] == '{') key += " {" + parts(operands[0]) + "}";
    if (operands[1][0] == '{') key += " " + parts(operands[1]);
    if (is_clock(operands[1])) key += " clock";
  }
  if (mnemonic == "call" || mnemonic == "call.uni") {
    key = "call";
    for (const std::string& operand : operands)
      if (operand[0] != '(') key += " " + operand;
  }
  const Definition* found = instructions().find(key);
  if (found == nullptr) throw Unsupported("unsupported instruction " + key);
  return *found;
}
// The alternative with as many operands as there are.
inline std::string shape(const Definition& definition, const std::vector<std::string>& operands) {
  std::string alternative;
  for (const char c : std::string(definition.operands) + " ") {
    if (c != ' ') {
      alternative += c;
      continue;
    }
    std::size_t count = 0;
    for (const char letter : alternative) count += letter < '0' || letter > '9';
    if (count == operands.size()) return alternative;
    alternative.clear();
  }
  throw Unsupported("an unknown number of operands");
}

}  // namespace tilepipe::check::ptx
