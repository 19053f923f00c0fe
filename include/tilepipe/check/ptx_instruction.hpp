// SPDX-License-Identifier: Apache-2.0
// An instruction as the machine runs it, what it runs on, and the table that names the handlers.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "block.hpp"

namespace tilepipe::check::ptx {

// Registers, constants and special values of a thread are slots of one array of 64-bit words.
using Slot = std::uint32_t;
using Word = std::uint64_t;

// Generic addresses: shared and local memory and the parameters begin here, global memory is below.
inline constexpr Word shared_window = Word{1} << 62, local_window = Word{1} << 61,
                      param_window = Word{1} << 60;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};
inline std::uint32_t count(Dim3 d) { return d.x * d.y * d.z; }

// One thread's view while it runs.
struct Context {
  Block& block;
  std::uint32_t thread;
  Word* r;
  const std::vector<unsigned char>& params;
  std::vector<unsigned char>& local;
  std::uint32_t pc;
  Word clock;
  const Context* all;  // of every thread of the block: meetings write to each other's registers
};

enum class Space : std::uint8_t { generic, global, shared, local, param };

struct Instruction;
using Handler = void (*)(Context&, const Instruction&);

struct Instruction {
  Handler run = nullptr;
  Slot guard = 0;  // runs where its truth is guard_value
  bool guard_value = true;
  std::uint32_t operands = 0;            // as written; a vector is one
  std::array<Slot, 16> slot{};           // of all operands in order, vectors spread out
  std::array<std::int64_t, 3> offset{};  // of the memory operands in order
  std::uint32_t target = 0;              // of a branch
  Space space = Space::generic;          // of a load or store
  std::uint8_t count = 1;                // elements that it moves; dimensions of a tensor copy
  Order order;                           // of an atomic access
  Place place = no_place;                // its own index
};

// What follows the mnemonic, one letter an operand: d destination, r value, m memory, l label,
// q destination with an optional second one ("d|p"), D2 and R4 vectors, T2 the address of a tensor
// map with coordinates. Alternatives are spaced.
struct Definition {
  Handler run;
  const char* operands;
  Space space = Space::generic;  // of loads and stores
  std::uint8_t count = 1;        // elements that they move; dimensions of a tensor copy
  Order order = {};              // of atomic accesses
};

// Definitions by the whole mnemonic with all its modifiers: what is not here is refused.
class Table {
 public:
  [[gnu::noinline]] void add(const std::string& mnemonic, const Definition& definition) {
    definitions_[mnemonic] = definition;
  }
  // Definitions whose names end alike. (A function full of concatenations compiles slowly.)
  struct Row {
    const char* begin;
    Definition definition;
  };
  [[gnu::noinline]] void add(std::initializer_list<Row> rows, const std::string& end) {
    for (const Row& row : rows) add(row.begin + end, row.definition);
  }
  const Definition* find(const std::string& mnemonic) const {
    const auto found = definitions_.find(mnemonic);
    return found == definitions_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<std::string, Definition> definitions_;
};

// A register's value as a type, and back. Registers keep what was put, and are cut when read.
template <class T>
T value(Word word) {
  if constexpr (std::is_same_v<T, bool>) {
    return (word & 1) != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    T result;
    std::memcpy(&result, &word, sizeof(T));
    return result;
  } else {
    return static_cast<T>(word);
  }
}
template <class T>
Word word(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    Word result = 0;
    std::memcpy(&result, &value, sizeof(T));
    return result;
  } else {
    return static_cast<Word>(value);
  }
}

template <class T>
struct Type {
  using type = T;
};
template <class F>
void for_unsigned_types(F f) {
  f(Type<std::uint16_t>{}, "16");
  f(Type<std::uint32_t>{}, "32");
  f(Type<std::uint64_t>{}, "64");
}
template <class F>
void for_integer_types(F f) {
  f(Type<std::uint16_t>{}, "u16");
  f(Type<std::uint32_t>{}, "u32");
  f(Type<std::uint64_t>{}, "u64");
  f(Type<std::int16_t>{}, "s16");
  f(Type<std::int32_t>{}, "s32");
  f(Type<std::int64_t>{}, "s64");
}

// A handler that computes slot 0 from the slots after it.
template <class T, class Operation>
void unary(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = word(Operation{}(value<T>(c.r[i.slot[1]])));
}
template <class T, class Operation>
void binary(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = word(Operation{}(value<T>(c.r[i.slot[1]]), value<T>(c.r[i.slot[2]])));
}
template <class T, class Operation>
void ternary(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = word(
      Operation{}(value<T>(c.r[i.slot[1]]), value<T>(c.r[i.slot[2]]), value<T>(c.r[i.slot[3]])));
}

}  // namespace tilepipe::check::ptx
