// SPDX-License-Identifier: Apache-2.0
// PTX bulk copies from shared to global memory, plain and reducing, and their groups.
#pragma once

#include "ptx_atomic.hpp"
#include "ptx_sync.hpp"

namespace tilepipe::check::ptx {

namespace bulk_store {

// [global], [shared], bytes; with a cache hint, which means nothing here.
template <class T, class Operation>
void combine(unsigned char* there, const unsigned char* with, std::size_t bytes) {
  for (std::size_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
    T a, b;
    std::memcpy(&a, there + i, sizeof(T));
    std::memcpy(&b, with + i, sizeof(T));
    a = Operation{}(a, b);
    std::memcpy(there + i, &a, sizeof(T));
  }
}
template <Combine With>
void store(Context& c, const Instruction& i) {
  c.block.bulk_store(c.thread, sync::global_address(c, i, 0, 0), sync::shared_address(c, i, 1, 1),
                     sync::number(c, i, 2), With, i.place);
}
inline void commit(Context& c, const Instruction&) { c.block.commit_stores(c.thread); }
template <bool Written>
void wait(Context& c, const Instruction& i) {
  c.block.wait_stores(c.thread, c.r[i.slot[0]], Written);
}

inline void add_store(Table& table, const std::string& name, const std::string& end, Handler run) {
  const std::string all = name + ".global.shared::cta.bulk_group";
  table.add(all + end, {run, "mmr"});
  table.add(all + ".L2::cache_hint" + end, {run, "mmrr"});
}
template <class T, class Operation>
void add_reduction(Table& table, const std::string& operation) {
  add_store(table, "cp.reduce.async.bulk", operation, store<combine<T, Operation>>);
}
template <class T>
void add_integer(Table& table, const std::string& type) {
  add_reduction<T, integer::Add>(table, ".add." + type);
  add_reduction<T, integer::Min>(table, ".min." + type);
  add_reduction<T, integer::Max>(table, ".max." + type);
}
template <class T>
void add_bits(Table& table, const std::string& type) {
  add_reduction<T, integer::And>(table, ".and." + type);
  add_reduction<T, integer::Or>(table, ".or." + type);
  add_reduction<T, integer::Xor>(table, ".xor." + type);
}

}  // namespace bulk_store

inline void add_bulk_store_instructions(Table& table) {
  using namespace bulk_store;
  add_store(table, "cp.async.bulk", "", store<nullptr>);
  add_integer<std::uint32_t>(table, "u32");
  add_integer<std::int32_t>(table, "s32");
  add_integer<std::uint64_t>(table, "u64");
  add_integer<std::int64_t>(table, "s64");
  add_bits<std::uint32_t>(table, "b32");
  add_bits<std::uint64_t>(table, "b64");
  add_reduction<std::uint32_t, atomic::Increment>(table, ".inc.u32");
  add_reduction<std::uint32_t, atomic::Decrement>(table, ".dec.u32");
  add_reduction<float, floating::Add>(table, ".add.f32");
  add_reduction<double, floating::Add>(table, ".add.f64");
  add_reduction<std::uint16_t, atomic::AddNarrow<Half, 1>>(table, ".add.noftz.f16");
  add_reduction<std::uint16_t, atomic::AddNarrow<Bfloat16, 1>>(table, ".add.noftz.bf16");
  table.add("cp.async.bulk.commit_group", {commit, ""});
  table.add("cp.async.bulk.wait_group", {wait<true>, "r"});
  table.add("cp.async.bulk.wait_group.read", {wait<false>, "r"});
}

}  // namespace tilepipe::check::ptx
