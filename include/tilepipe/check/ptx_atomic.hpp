// SPDX-License-Identifier: Apache-2.0
// PTX atomic accesses: atom and red, and loads and stores with an order.
#pragma once

#include "ptx_half.hpp"
#include "ptx_memory.hpp"

namespace tilepipe::check::ptx {

namespace atomic {

struct Exchange {
  template <class T>
  T operator()(T, T b) const {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  T operator()(T old, T expected, T b) const {
    return old == expected ? b : old;
  }
};
// Up to b, then from zero; and down from b.
struct Increment {
  template <class T>
  T operator()(T old, T b) const {
    return old >= b ? 0 : old + 1;
  }
};
struct Decrement {
  template <class T>
  T operator()(T old, T b) const {
    return old == 0 || old > b ? b : old - 1;
  }
};
template <class F, int Count>
struct AddNarrow {
  template <class T>
  T operator()(T old, T b) const {
    Word all = 0;
    for (int k = 0; k < Count; ++k) {
      const auto part = [&](T from) {
        return F::decode(static_cast<std::uint16_t>(from >> 16 * k));
      };
      all |= Word{F::encode(part(old) + part(b))} << (16 * k);
    }
    return static_cast<T>(all);
  }
};

// The bytes that an atomic access works on, or null after a finding.
template <class T>
T* target(Context& c, const Instruction& i, int slot, Access access) {
  const Word at = c.r[i.slot[slot]] + static_cast<Word>(i.offset[0]);
  const Space space = memory::space_of(i.space, at);
  if (space == Space::local) {
    c.block.report(Kind::bounds, i.place, no_place,
                   "an atomic access of local memory at " + c.block.at(i.place));
    memory::stop(c);
    return nullptr;
  }
  unsigned char* found = c.block.atomic(c.thread, space == Space::shared, at & ~shared_window,
                                        sizeof(T), i.order, access, i.place);
  if (found == nullptr) memory::stop(c);
  return reinterpret_cast<T*>(found);
}
template <class T>
T get(const T* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// d, [a], b and, for a comparison, [a], expected, b. `Returns`: atom, which has a d; red has none.
template <class T, class Operation, bool Returns, int Operands>
void update(Context& c, const Instruction& i) {
  constexpr int at = Returns ? 1 : 0;
  T* there = target<T>(c, i, at, Access::update);
  if (there == nullptr) return;
  const T old = get(there);
  T result;
  if constexpr (Operands == 2)
    result = Operation{}(old, value<T>(c.r[i.slot[at + 1]]), value<T>(c.r[i.slot[at + 2]]));
  else
    result = Operation{}(old, value<T>(c.r[i.slot[at + 1]]));
  std::memcpy(there, &result, sizeof(T));
  if (Returns) c.r[i.slot[0]] = word(old);
}
template <class T>
void load(Context& c, const Instruction& i) {
  if (const T* there = target<T>(c, i, 1, Access::read)) c.r[i.slot[0]] = word(get(there));
}
template <class T>
void store(Context& c, const Instruction& i) {
  const T stored = value<T>(c.r[i.slot[1]]);
  if (T* there = target<T>(c, i, 0, Access::write)) std::memcpy(there, &stored, sizeof(T));
}

// The table has one name for shared memory, and no scopes: KernelParser::canonical.
struct SpaceName {
  const char* name;
  Space space;
};
inline constexpr SpaceName spaces[] = {
    {"", Space::generic}, {".global", Space::global}, {".shared", Space::shared}};

// By every order in every space; `red` may be null.
inline void add_handlers(Table& table, const std::string& operation, Handler atom,
                         const char* operands, Handler red) {
  const std::pair<const char*, Order> orders[] = {{"", {false, false}},
                                                  {".relaxed", {false, false}},
                                                  {".acquire", {true, false}},
                                                  {".release", {false, true}},
                                                  {".acq_rel", {true, true}}};
  for (const auto& [space_name, space] : spaces)
    for (const auto& [order_name, order] : orders) {
      const std::string end = std::string(order_name) + space_name + operation;
      table.add("atom" + end, {atom, operands, space, 1, order});
      if (red != nullptr) table.add("red" + end, {red, "mr", space, 1, order});
    }
}
template <class T, class Operation>
void add_update(Table& table, const std::string& operation) {
  add_handlers(table, operation, update<T, Operation, true, 1>, "dmr",
               update<T, Operation, false, 1>);
}
template <class T>
void add_swap(Table& table, const std::string& type) {
  add_handlers(table, ".cas." + type, update<T, CompareAndSwap, true, 2>, "dmrr", nullptr);
}

inline void add_loads_and_stores(Table& table, const std::string& type, Handler load,
                                 Handler store) {
  for (const auto& [name, space] : spaces) {
    const std::string end = name + ("." + type);
    table.add("ld.relaxed" + end, {load, "dm", space, 1, {}});
    table.add("ld.acquire" + end, {load, "dm", space, 1, {true, false}});
    table.add("st.relaxed" + end, {store, "mr", space, 1, {}});
    table.add("st.release" + end, {store, "mr", space, 1, {false, true}});
  }
}
template <class T>
void add_accesses(Table& table, const std::string& type) {
  add_loads_and_stores(table, type, load<T>, store<T>);
}

template <class T>
void add_integer(Table& table, const std::string& type) {
  add_update<T, integer::Add>(table, ".add." + type);
  add_update<T, integer::Min>(table, ".min." + type);
  add_update<T, integer::Max>(table, ".max." + type);
}
template <class T>
void add_bits(Table& table, const std::string& type) {
  add_update<T, integer::And>(table, ".and." + type);
  add_update<T, integer::Or>(table, ".or." + type);
  add_update<T, integer::Xor>(table, ".xor." + type);
  add_update<T, Exchange>(table, ".exch." + type);
  add_swap<T>(table, type);
}

}  // namespace atomic

inline void add_atomic_instructions(Table& table) {
  using namespace atomic;
  add_integer<std::uint32_t>(table, "u32");
  add_integer<std::int32_t>(table, "s32");
  add_integer<std::uint64_t>(table, "u64");
  add_integer<std::int64_t>(table, "s64");
  add_bits<std::uint32_t>(table, "b32");
  add_bits<std::uint64_t>(table, "b64");
  add_swap<std::uint16_t>(table, "b16");
  add_update<std::uint32_t, Increment>(table, ".inc.u32");
  add_update<std::uint32_t, Decrement>(table, ".dec.u32");
  add_update<float, floating::Add>(table, ".add.f32");
  add_update<double, floating::Add>(table, ".add.f64");
  add_update<std::uint16_t, AddNarrow<Half, 1>>(table, ".add.noftz.f16");
  add_update<std::uint32_t, AddNarrow<Half, 2>>(table, ".add.noftz.f16x2");
  add_update<std::uint16_t, AddNarrow<Bfloat16, 1>>(table, ".add.noftz.bf16");
  add_update<std::uint32_t, AddNarrow<Bfloat16, 2>>(table, ".add.noftz.bf16x2");
  add_accesses<std::uint8_t>(table, "u8");
  add_accesses<std::int8_t>(table, "s8");
  add_accesses<std::uint8_t>(table, "b8");
  for_integer_types(
      [&](auto tag, const char* type) { add_accesses<typename decltype(tag)::type>(table, type); });
  for_unsigned_types([&](auto tag, const char* bits) {
    add_accesses<typename decltype(tag)::type>(table, std::string("b") + bits);
  });
  add_accesses<float>(table, "f32");
  add_accesses<double>(table, "f64");
}

}  // namespace tilepipe::check::ptx
