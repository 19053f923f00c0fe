// SPDX-License-Identifier: Apache-2.0
// PTX tensor copies between global and shared memory, by maps of check::tensor_map.
#pragma once

#include "ptx_bulk_store.hpp"
#include "ptx_memory.hpp"

namespace tilepipe::check::ptx {

namespace tensor {

// The map and the coordinates at slot `first` on; false after a finding.
struct Box {
  TensorLayout map;
  std::int32_t at[5] = {};
};
inline bool read_box(Context& c, const Instruction& i, int first, int memory, Box& box) {
  const Address address = sync::global_address(c, i, first, memory);
  TensorMap map;
  for (std::size_t half = 0; half < sizeof map; half += 64)
    if (!memory::read(c, i, address + half, 64, map.bytes + half)) return false;
  std::memcpy(&box.map, map.bytes, sizeof box.map);
  if (box.map.mark != TensorLayout::mark_of_maps || box.map.rank != i.count) {
    c.block.report(Kind::protocol, i.place, no_place,
                   "thread " + std::to_string(c.thread) + " copies by what is no tensor map of " +
                       std::to_string(i.count) +
                       " dimensions that check::tensor_map has made, at " + c.block.at(i.place));
    return false;
  }
  for (int d = 0; d < i.count; ++d) box.at[d] = value<std::int32_t>(c.r[i.slot[first + 1 + d]]);
  return true;
}

inline void load(Context& c, const Instruction& i) {
  Box box;
  if (read_box(c, i, 1, 1, box))
    c.block.tensor_load(c.thread, sync::shared_address(c, i, 0), box.map, box.at,
                        sync::shared_address(c, i, 2 + i.count, 2), i.place);
}
inline Combine addition(TensorElement element) {
  switch (element) {
    case TensorElement::uint32:
    case TensorElement::int32:
      return bulk_store::combine<std::uint32_t, integer::Add>;
    case TensorElement::uint64:
    case TensorElement::int64:
      return bulk_store::combine<std::uint64_t, integer::Add>;
    case TensorElement::float32:
      return bulk_store::combine<float, floating::Add>;
    case TensorElement::float16:
      return bulk_store::combine<std::uint16_t, atomic::AddNarrow<Half, 1>>;
    case TensorElement::bfloat16:
      return bulk_store::combine<std::uint16_t, atomic::AddNarrow<Bfloat16, 1>>;
    default:
      throw Unsupported("a tensor store that adds elements of type " +
                        std::to_string(static_cast<int>(element)));
  }
}
template <bool Adds>
void store(Context& c, const Instruction& i) {
  Box box;
  if (read_box(c, i, 0, 0, box))
    c.block.tensor_store(c.thread, box.map, box.at, sync::shared_address(c, i, 1 + i.count, 1),
                         Adds ? addition(box.map.element) : nullptr, i.place);
}

}  // namespace tensor

inline void add_tensor_instructions(Table& table) {
  static const char* const loads[] = {"mT1m mT1mr", "mT2m mT2mr", "mT3m mT3mr", "mT4m mT4mr",
                                      "mT5m mT5mr"};
  static const char* const stores[] = {"T1m T1mr", "T2m T2mr", "T3m T3mr", "T4m T4mr", "T5m T5mr"};
  for (std::uint8_t rank = 1; rank <= 5; ++rank)
    for (const std::string mode : {"", ".tile"})
      for (const std::string hint : {"", ".L2::cache_hint"}) {
        const std::string dimensions = ".async.bulk.tensor." + std::to_string(rank) + "d";
        for (const std::string space : {".shared::cta", ".shared::cluster"})
          table.add(
              "cp" + dimensions + space + ".global" + mode + ".mbarrier::complete_tx::bytes" + hint,
              {tensor::load, loads[rank - 1], Space::generic, rank});
        const std::string end = mode + ".bulk_group" + hint;
        table.add("cp" + dimensions + ".global.shared::cta" + end,
                  {tensor::store<false>, stores[rank - 1], Space::generic, rank});
        table.add("cp.reduce" + dimensions + ".global.shared::cta.add" + end,
                  {tensor::store<true>, stores[rank - 1], Space::generic, rank});
      }
  table.add("prefetch.tensormap", {sync::nothing, "m"});
}

}  // namespace tilepipe::check::ptx
