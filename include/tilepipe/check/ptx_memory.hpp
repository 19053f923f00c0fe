// SPDX-License-Identifier: Apache-2.0
// PTX moves, loads, stores and address conversions.
#pragma once

#include "ptx_instruction.hpp"

namespace tilepipe::check::ptx {

namespace memory {

// Where an address leads: a generic one says its space itself.
inline Space space_of(Space space, Word address) {
  if (space != Space::generic) return space;
  if ((address & shared_window) != 0) return Space::shared;
  if ((address & local_window) != 0) return Space::local;
  return (address & param_window) != 0 ? Space::param : Space::global;
}

// Bytes of a thread's own memory: a stack, or the parameters.
inline const unsigned char* own_bytes(Context& c, const std::vector<unsigned char>& bytes,
                                      Word address, std::size_t size, const Instruction& i) {
  const Word at = address & 0xffffffffu;
  if (at + size <= bytes.size() && at % size == 0) return bytes.data() + at;
  c.block.report(Kind::bounds, i.place, no_place,
                 "an access of local memory or parameters outside them at " + c.block.at(i.place));
  c.block.give_up();
  return nullptr;
}

// A fault that leaves no value to go on with ends the run.
inline void stop(Context& c) {
  c.block.give_up();
  c.block.threads()[c.thread].stop = true;
}

inline bool read(Context& c, const Instruction& i, Word address, std::size_t size, void* to) {
  const Space space = space_of(i.space, address);
  if (space == Space::shared)
    return c.block.load(c.thread, static_cast<std::uint32_t>(address),
                        static_cast<std::uint32_t>(size), i.place, to);
  const unsigned char* from =
      space == Space::global
          ? c.block.global(c.thread, address, size, static_cast<std::uint32_t>(size), i.place)
          : own_bytes(c, space == Space::param ? c.params : c.local, address, size, i);
  if (from != nullptr) std::memcpy(to, from, size);
  return from != nullptr;
}
inline bool write(Context& c, const Instruction& i, Word address, std::size_t size,
                  const void* from) {
  const Space space = space_of(i.space, address);
  if (space == Space::shared)
    return c.block.store(c.thread, static_cast<std::uint32_t>(address),
                         static_cast<std::uint32_t>(size), i.place, from);
  static const std::vector<unsigned char> nowhere;  // parameters are read alone
  unsigned char* to = nullptr;
  if (space == Space::global)
    to = c.block.global(c.thread, address, size, static_cast<std::uint32_t>(size), i.place);
  else if (own_bytes(c, space == Space::local ? c.local : nowhere, address, size, i) != nullptr)
    to = c.local.data() + (address & 0xffffffffu);
  if (to != nullptr) std::memcpy(to, from, size);
  return to != nullptr;
}

template <class T>
void load(Context& c, const Instruction& i) {
  T values[4]{};
  const Word address = c.r[i.slot[i.count]] + static_cast<Word>(i.offset[0]);
  if (!read(c, i, address, sizeof(T) * i.count, values)) stop(c);
  for (int k = 0; k < i.count; ++k) c.r[i.slot[k]] = word(values[k]);
}
template <class T>
void store(Context& c, const Instruction& i) {
  T values[4];
  for (int k = 0; k < i.count; ++k) values[k] = value<T>(c.r[i.slot[1 + k]]);
  const Word address = c.r[i.slot[0]] + static_cast<Word>(i.offset[0]);
  if (!write(c, i, address, sizeof(T) * i.count, values)) stop(c);
}

template <class T>
void move(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = word(value<T>(c.r[i.slot[1]]));
}
// A register from `Count` parts, the lowest first, and back.
template <class Part, int Count>
void join(Context& c, const Instruction& i) {
  Word all = 0;
  for (int k = 0; k < Count; ++k)
    all |= Word{value<Part>(c.r[i.slot[1 + k]])} << (8 * sizeof(Part) * k);
  c.r[i.slot[0]] = all;
}
template <class Part, int Count>
void part(Context& c, const Instruction& i) {
  const Word all = c.r[i.slot[Count]];
  for (int k = 0; k < Count; ++k) c.r[i.slot[k]] = word(value<Part>(all >> (8 * sizeof(Part) * k)));
}

template <Word Window>
void to_generic(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = c.r[i.slot[1]] | Window;
}
template <Word Window>
void from_generic(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = c.r[i.slot[1]] & ~Window;
}
template <Space In>
void is_in(Context& c, const Instruction& i) {
  c.r[i.slot[0]] = space_of(Space::generic, c.r[i.slot[1]]) == In;
}
inline void nothing(Context&, const Instruction&) {}

// Time goes on whenever it is read.
inline void read_clock(Context& c, const Instruction& i) {
  c.clock += 1000;
  c.r[i.slot[0]] = c.clock;
}

inline void add_accesses(Table& table, const std::string& type, std::size_t size, Handler load,
                         Handler store) {
  struct Form {
    const char* infix;
    const char* loaded;
    const char* stored;
    std::uint8_t count;
  };
  constexpr Form forms[] = {
      {".", "dm", "mr", 1}, {".v2.", "D2m", "mR2", 2}, {".v4.", "D4m", "mR4", 4}};
  const std::pair<const char*, Space> spaces[] = {
      {"", Space::generic},     {".global", Space::global}, {".shared", Space::shared},
      {".local", Space::local}, {".param", Space::param},   {".const", Space::global}};
  for (const Form& form : forms) {
    if (size * form.count > 16) continue;
    const std::string end = form.infix + type;
    for (const auto& [name, space] : spaces) {
      table.add("ld" + (name + end), {load, form.loaded, space, form.count});
      if (space == Space::param)  // of a call
        table.add("st" + (name + end), {store, form.stored, Space::local, form.count});
      if (space == Space::param || std::string(name) == ".const") continue;
      table.add("st" + (name + end), {store, form.stored, space, form.count});
      if (space == Space::local) continue;
      table.add("ld.volatile" + (name + end), {load, form.loaded, space, form.count});
      table.add("st.volatile" + (name + end), {store, form.stored, space, form.count});
    }
    table.add("ld.global.nc" + end, {load, form.loaded, Space::global, form.count});
  }
}

template <class T>
void add_type(Table& table, const std::string& type) {
  add_accesses(table, type, sizeof(T), load<T>, store<T>);
}

}  // namespace memory

inline void add_memory_instructions(Table& table) {
  memory::add_type<std::int8_t>(table, "s8");
  memory::add_type<std::uint8_t>(table, "u8");
  memory::add_type<std::uint8_t>(table, "b8");
  memory::add_type<std::uint32_t>(table, "f32");
  memory::add_type<Word>(table, "f64");
  for_integer_types([&](auto tag, const char* type) {
    using T = typename decltype(tag)::type;
    memory::add_type<T>(table, type);
    table.add(std::string("mov.") + type, {memory::move<T>, "dr"});
  });
  for_unsigned_types([&](auto tag, const char* bits) {
    using T = typename decltype(tag)::type;
    memory::add_type<T>(table, std::string("b") + bits);
    table.add(std::string("mov.b") + bits, {memory::move<T>, "dr"});
  });
  table.add("mov.f32", {memory::move<std::uint32_t>, "dr"});
  table.add("mov.f64", {memory::move<Word>, "dr"});
  table.add("mov.pred", {memory::move<bool>, "dr"});
  // Spelled with their vector operands, which tell these moves from the plain one.
  table.add("mov.b32 {2}", {memory::part<std::uint16_t, 2>, "D2r"});
  table.add("mov.b64 {2}", {memory::part<std::uint32_t, 2>, "D2r"});
  table.add("mov.b64 {4}", {memory::part<std::uint16_t, 4>, "D4r"});
  table.add("mov.b32 2", {memory::join<std::uint16_t, 2>, "dR2"});
  table.add("mov.b64 2", {memory::join<std::uint32_t, 2>, "dR2"});
  table.add("mov.b64 4", {memory::join<std::uint16_t, 4>, "dR4"});
  for (const char* type : {"u32", "u64"})
    table.add(std::string("mov.") + type + " clock", {memory::read_clock, "dr"});
  for (const char* level : {"L1", "L2"})
    for (const char* space : {"", ".global"})
      table.add(std::string("prefetch") + space + "." + level, {memory::nothing, "m"});
  table.add("prefetchu.L1", {memory::nothing, "m"});
  table.add("isspacep.shared", {memory::is_in<Space::shared>, "dr"});
  table.add("isspacep.shared::cta", {memory::is_in<Space::shared>, "dr"});
  table.add("isspacep.local", {memory::is_in<Space::local>, "dr"});
  table.add("isspacep.global", {memory::is_in<Space::global>, "dr"});
  table.add("cvta.shared.u64", {memory::to_generic<shared_window>, "dr"});
  table.add("cvta.local.u64", {memory::to_generic<local_window>, "dr"});
  table.add("cvta.param.u64", {memory::to_generic<param_window>, "dr"});
  table.add("cvta.const.u64", {memory::to_generic<0>, "dr"});
  table.add("cvta.to.const.u64", {memory::from_generic<0>, "dr"});
  table.add("cvta.global.u64", {memory::to_generic<0>, "dr"});
  table.add("cvta.to.shared.u64", {memory::from_generic<shared_window>, "dr"});
  table.add("cvta.to.local.u64", {memory::from_generic<local_window>, "dr"});
  table.add("cvta.to.global.u64", {memory::from_generic<0>, "dr"});
}

}  // namespace tilepipe::check::ptx
