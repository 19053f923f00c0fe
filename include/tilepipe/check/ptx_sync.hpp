// SPDX-License-Identifier: Apache-2.0
// PTX barriers, mbarriers, fences and asynchronous copies.
#pragma once

#include "ptx_instruction.hpp"

namespace tilepipe::check::ptx {

namespace sync {

inline std::uint32_t number(Context& c, const Instruction& i, int slot) {
  return value<std::uint32_t>(c.r[i.slot[slot]]);
}
inline std::uint32_t shared_address(Context& c, const Instruction& i, int slot, int memory = 0) {
  return value<std::uint32_t>(c.r[i.slot[slot]] + static_cast<Word>(i.offset[memory]));
}
inline Address global_address(Context& c, const Instruction& i, int slot, int memory) {
  return c.r[i.slot[slot]] + static_cast<Word>(i.offset[memory]);
}

template <bool Waits>
void named_barrier(Context& c, const Instruction& i) {
  const std::uint32_t count = i.operands == 2 ? number(c, i, 1) : NamedBarrier::whole_block;
  c.block.named_barrier(c.thread, number(c, i, 0), count, Waits, i.place);
}

// d, barrier[, count], predicate.
template <NamedBarrier::Reduction::Verb Verb>
void reducing_barrier(Context& c, const Instruction& i) {
  const int last = static_cast<int>(i.operands) - 1;
  const std::uint32_t count = last == 3 ? number(c, i, 2) : NamedBarrier::whole_block;
  const NamedBarrier::Reduction reduction{Verb, value<bool>(c.r[i.slot[last]]), &c.r[i.slot[0]]};
  c.block.named_barrier(c.thread, number(c, i, 1), count, true, i.place, &reduction);
}

inline void mbarrier_init(Context& c, const Instruction& i) {
  c.block.mbarrier_init(c.thread, shared_address(c, i, 0), number(c, i, 1), i.place);
}
inline void mbarrier_inval(Context& c, const Instruction& i) {
  c.block.mbarrier_inval(c.thread, shared_address(c, i, 0), i.place);
}
// The state that an arrival returns is the number of its phase.
inline void mbarrier_arrive(Context& c, const Instruction& i) {
  const std::uint32_t count = i.operands == 3 ? number(c, i, 2) : 1;
  c.r[i.slot[0]] = c.block.mbarrier_arrive(c.thread, shared_address(c, i, 1), count, 0, i.place);
}
inline void mbarrier_arrive_expect(Context& c, const Instruction& i) {
  c.r[i.slot[0]] =
      c.block.mbarrier_arrive(c.thread, shared_address(c, i, 1), 1, number(c, i, 2), i.place);
}
inline void mbarrier_expect(Context& c, const Instruction& i) {
  c.block.mbarrier_expect(c.thread, shared_address(c, i, 0), number(c, i, 1), i.place);
}
// By parity, or by the state of an arrival, whose lowest bit is the parity: true when it returns.
inline void mbarrier_wait(Context& c, const Instruction& i) {
  const auto parity = static_cast<std::uint32_t>(c.r[i.slot[2]] & 1);
  c.r[i.slot[0]] = 1;
  c.block.mbarrier_wait(c.thread, shared_address(c, i, 1), parity, i.place);
}

inline void cp_async(Context& c, const Instruction& i) {
  const std::uint32_t bytes = number(c, i, 2);
  const std::uint32_t from_bytes = i.operands == 4 ? number(c, i, 3) : bytes;
  c.block.cp_async(c.thread, shared_address(c, i, 0), global_address(c, i, 1, 1), bytes, from_bytes,
                   i.place);
}
inline void commit_group(Context& c, const Instruction&) { c.block.commit_group(c.thread); }
inline void wait_group(Context& c, const Instruction& i) {
  c.block.wait_group(c.thread, c.r[i.slot[0]]);
}
inline void wait_all(Context& c, const Instruction&) { c.block.wait_all_copies(c.thread); }
template <bool Counted>
void arrive_after_copies(Context& c, const Instruction& i) {
  c.block.arrive_after_copies(c.thread, shared_address(c, i, 0), Counted, i.place);
}

inline void bulk_load(Context& c, const Instruction& i) {
  c.block.bulk_load(c.thread, shared_address(c, i, 0), global_address(c, i, 1, 1), number(c, i, 2),
                    shared_address(c, i, 3, 2), i.place);
}

inline void fence_proxy(Context& c, const Instruction&) { c.block.fence_proxy(c.thread); }
inline void fence_mbarrier_init(Context& c, const Instruction&) {
  c.block.fence_mbarrier_init(c.thread);
}
inline void fence_memory(Context& c, const Instruction&) { c.block.fence_memory(c.thread); }
inline void nothing(Context&, const Instruction&) {}

inline void add_mbarriers(Table& table) {
  for (const std::string space : {"", ".shared", ".shared::cta"}) {
    const std::string end = space + ".b64";
    table.add({{"mbarrier.init", {mbarrier_init, "mr"}}, {"mbarrier.inval", {mbarrier_inval, "m"}}},
              end);
    for (const std::string order : {"", ".release.cta"}) {
      table.add("mbarrier.arrive" + order + end, {mbarrier_arrive, "dm dmr"});
      table.add("mbarrier.arrive.expect_tx" + order + end, {mbarrier_arrive_expect, "dmr"});
    }
    table.add("mbarrier.expect_tx.relaxed.cta" + end, {mbarrier_expect, "mr"});
    for (const std::string verb : {"mbarrier.test_wait", "mbarrier.try_wait"})
      for (const std::string order : {"", ".acquire.cta"}) {
        table.add(verb + order + end, {mbarrier_wait, "dmr"});
        table.add(verb + ".parity" + order + end, {mbarrier_wait, "dmr"});
      }
    table.add({{"cp.async.mbarrier.arrive", {arrive_after_copies<true>, "m"}},
               {"cp.async.mbarrier.arrive.noinc", {arrive_after_copies<false>, "m"}}},
              end);
  }
}

}  // namespace sync

inline void add_sync_instructions(Table& table) {
  for (const char* name : {"bar.sync", "bar.cta.sync", "barrier.sync", "barrier.sync.aligned",
                           "barrier.cta.sync", "barrier.cta.sync.aligned"})
    table.add(name, {sync::named_barrier<true>, "r rr"});
  for (const char* name :
       {"bar.arrive", "bar.cta.arrive", "barrier.arrive", "barrier.arrive.aligned",
        "barrier.cta.arrive", "barrier.cta.arrive.aligned"})
    table.add(name, {sync::named_barrier<false>, "rr"});
  using Verb = NamedBarrier::Reduction::Verb;
  for (const std::string name : {"bar", "bar.cta", "barrier", "barrier.cta"})
    for (const std::string aligned : {"", ".aligned"}) {
      table.add(name + ".red.popc" + aligned + ".u32",
                {sync::reducing_barrier<Verb::number>, "drr drrr"});
      table.add(name + ".red.and" + aligned + ".pred",
                {sync::reducing_barrier<Verb::all>, "drr drrr"});
      table.add(name + ".red.or" + aligned + ".pred",
                {sync::reducing_barrier<Verb::any>, "drr drrr"});
    }
  sync::add_mbarriers(table);
  for (const std::string cache : {"ca", "cg"})
    for (const std::string space : {".shared", ".shared::cta"})
      for (const std::string prefetch : {"", ".L2::64B", ".L2::128B", ".L2::256B"})
        table.add("cp.async." + cache + space + ".global" + prefetch, {sync::cp_async, "mmr mmrr"});
  table.add("cp.async.commit_group", {sync::commit_group, ""});
  table.add("cp.async.wait_group", {sync::wait_group, "r"});
  table.add("cp.async.wait_all", {sync::wait_all, ""});
  for (const std::string space : {"cta", "cluster"}) {
    const std::string name =
        "cp.async.bulk.shared::" + space + ".global.mbarrier::complete_tx::bytes";
    table.add(name, {sync::bulk_load, "mmrm"});
    table.add(name + ".L2::cache_hint", {sync::bulk_load, "mmrmr"});
  }
  for (const std::string priority :
       {"evict_last", "evict_normal", "evict_first", "evict_unchanged"})
    table.add("createpolicy.fractional.L2::" + priority + ".b64", {sync::nothing, "d"});
  table.add("fence.proxy.async", {sync::fence_proxy, ""});
  table.add("fence.proxy.async.shared::cta", {sync::fence_proxy, ""});
  table.add("fence.proxy.async.global", {sync::nothing, ""});
  table.add("fence.mbarrier_init.release.cluster", {sync::fence_mbarrier_init, ""});
  for (const char* fence : {"membar.cta", "membar.gl", "membar.sys"})
    table.add(fence, {sync::fence_memory, ""});
  for (const std::string order : {"acq_rel", "sc"})
    for (const std::string scope : {".cta", ".cluster", ".gpu", ".sys"})
      table.add("fence." + order + scope, {sync::fence_memory, ""});
}

}  // namespace tilepipe::check::ptx
