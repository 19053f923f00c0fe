// SPDX-License-Identifier: Apache-2.0
// The asynchronous copies of a block: issue, groups, arrivals, and landing.
#pragma once

#include "block.hpp"

namespace tilepipe::check {

inline void Block::cp_async(std::uint32_t t, std::uint32_t to, Address from, std::uint32_t bytes,
                            std::uint32_t from_bytes, Place place) {
  if (from_bytes > bytes) {
    report(Kind::bounds, place, no_place,
           thread_text(t) + " copies " + std::to_string(from_bytes) + " of " +
               std::to_string(bytes) + " bytes, at " + at(place));
    return;
  }
  const unsigned char* source = nullptr;
  if (from_bytes != 0) {
    source = global(t, from, from_bytes, bytes, place);
    if (source == nullptr) return;
  }
  if (!shared_range(t, to, bytes, place)) return;
  const Time number = threads_[t].groups.issue();
  AsyncCopy copy{AsyncCopy::Kind::cp_async, t, place};
  copy.to = to;
  copy.bytes = bytes;
  copy.from = source;
  copy.from_bytes = from_bytes;
  copy.number = number;
  const int id = add_copy(copy);
  report_access(shadow_.issue(to, bytes, accessor(t, place), {agents_.copies_of(t), number, place},
                              id, false),
                t, place);
  if (!atomics_.empty()) check_atomics(t, to, bytes, place);
  if (schedule_.landing() == Schedule::Landing::early) land(id);
}

// The mbarrier on which a copy in bulk is to count, or null: until it is the thread's turn, or
// after a finding.
inline Block::BarrierSlot* Block::barrier_of_copy(std::uint32_t t, std::uint32_t barrier,
                                                  Place place) {
  if (!may_step(t, {Step::Verb::issue, barrier})) return nullptr;
  BarrierSlot* slot = use_barrier(t, barrier, place);
  if (slot != nullptr && !slot->init_fenced &&
      !threads_[t].clock.knows_fenced(slot->init.agent, slot->init.time))
    report(Kind::proxy, place, slot->init.place,
           "the bulk copy of " + thread_text(t) + " at " + at(place) +
               " counts on an mbarrier with no fence after its init at " + at(slot->init.place));
  return slot;
}

inline void Block::issue_load(AsyncCopy copy, const BarrierSlot& slot) {
  const std::uint32_t t = copy.thread, to = copy.to, bytes = copy.bytes;
  const Place place = copy.place;
  if (!shared_range(t, to, bytes, place)) return;
  const int id = add_copy(std::move(copy));
  report_access(shadow_.issue(to, bytes, accessor(t, place),
                              {agents_.phases_of(slot.index), never, place}, id, true),
                t, place);
  if (!atomics_.empty()) check_atomics(t, to, bytes, place);
  if (schedule_.landing() == Schedule::Landing::early) land(id);
  may_switch(t);
}

inline void Block::issue_store(AsyncCopy store) {
  const std::uint32_t t = store.thread, from = store.to, bytes = store.bytes;
  const Place place = store.place;
  if (!shared_range(t, from, bytes, place)) return;
  if (!atomics_.empty()) check_atomics(t, from, bytes, place);
  store.number = threads_[t].stores.issue();
  const Stamp reads{agents_.stores_of(t), store.number, place};
  const int id = add_copy(std::move(store));
  report_access(shadow_.read_in_bulk(from, bytes, accessor(t, place), reads), t, place);
  if (schedule_.landing() == Schedule::Landing::early) land(id);
  may_switch(t);
}

// Whether a copy of so many bytes in bulk may begin at that shared address.
inline bool Block::bulk_aligned(std::uint32_t t, std::uint32_t shared, std::uint32_t bytes,
                                Place place) {
  if (shared % 16 == 0 && bytes % 16 == 0 && bytes != 0) return true;
  report(Kind::alignment, place, no_place,
         thread_text(t) + " copies " + std::to_string(bytes) + " bytes in bulk at byte " +
             std::to_string(shared) + " of shared memory: both must be multiples of 16, at " +
             at(place));
  return false;
}

inline void Block::bulk_load(std::uint32_t t, std::uint32_t to, Address from, std::uint32_t bytes,
                             std::uint32_t barrier, Place place) {
  const BarrierSlot* slot = barrier_of_copy(t, barrier, place);
  if (slot == nullptr || !bulk_aligned(t, to, bytes, place)) return;
  AsyncCopy copy{AsyncCopy::Kind::bulk, t, place};
  copy.from = global(t, from, bytes, 16, place);
  if (copy.from == nullptr) return;
  copy.to = to;
  copy.bytes = bytes;
  copy.from_bytes = bytes;
  copy.barrier = barrier;
  issue_load(std::move(copy), *slot);
}

inline void Block::bulk_store(std::uint32_t t, Address to, std::uint32_t from, std::uint32_t bytes,
                              Combine combine, Place place) {
  if (!bulk_aligned(t, from, bytes, place)) return;
  AsyncCopy store{AsyncCopy::Kind::store, t, place};
  store.into = global(t, to, bytes, 16, place);
  if (store.into == nullptr) return;
  store.to = from;
  store.bytes = bytes;
  store.combine = combine;
  issue_store(std::move(store));
}

// The box at those coordinates, as a copy between it and that shared address; false after a
// finding.
inline bool Block::place_box(const TensorLayout& map, const std::int32_t* first,
                             std::uint32_t shared, AsyncCopy& copy) {
  const std::uint32_t t = copy.thread;
  const Place place = copy.place;
  if (shared % 128 != 0 || first[0] * std::int64_t{map.element_bytes()} % 16 != 0) {
    report(Kind::alignment, place, no_place,
           thread_text(t) + " copies a box to or from byte " + std::to_string(shared) +
               " of shared memory, from element " + std::to_string(first[0]) + " of " +
               std::to_string(map.element_bytes()) +
               " bytes in a row on: the address must be a multiple of 128, and the box must start "
               "at a multiple of 16 bytes in its row, at " +
               at(place));
    return false;
  }
  // The hardware reads there even where all of the box is outside of the tensor.
  if (global(t, map.address, map.element_bytes(), 16, place) == nullptr) return false;
  const bool stored = copy.kind == AsyncCopy::Kind::store;
  TensorBox box(map, first, shared, stored, global_);
  if (!box.in_memory) {
    report(Kind::bounds, place, no_place,
           thread_text(t) + " copies a box whose tensor is in no buffer at " +
               global_.describe(box.outside) + ", at " + at(place));
    return false;
  }
  copy.to = shared;
  copy.bytes = map.box_bytes();
  copy.pieces = std::move(box.pieces);
  return true;
}

inline void Block::tensor_load(std::uint32_t t, std::uint32_t to, const TensorLayout& map,
                               const std::int32_t* first, std::uint32_t barrier, Place place) {
  const BarrierSlot* slot = barrier_of_copy(t, barrier, place);
  AsyncCopy copy{AsyncCopy::Kind::bulk, t, place};
  if (slot == nullptr || !place_box(map, first, to, copy)) return;
  copy.barrier = barrier;
  issue_load(std::move(copy), *slot);
}

inline void Block::tensor_store(std::uint32_t t, const TensorLayout& map, const std::int32_t* first,
                                std::uint32_t from, Combine combine, Place place) {
  AsyncCopy store{AsyncCopy::Kind::store, t, place};
  store.combine = combine;
  if (place_box(map, first, from, store)) issue_store(std::move(store));
}

inline void Block::read_source(AsyncCopy& store) {
  if (store.taken.empty())
    store.taken.assign(shared_.data() + store.to, shared_.data() + store.to + store.bytes);
}

inline void Block::wait_stores(std::uint32_t t, std::uint64_t groups, bool written) {
  const Time last = threads_[t].stores.complete_after_wait(groups);
  for (const int id : copies_.stores_up_to(t, last))
    if (written)
      land(id);
    else
      read_source(copies_[id]);
  threads_[t].clock.seen.raise(agents_.stores_of(t), last);
  may_switch(t);
}

// cp.async.mbarrier.arrive; `counted` without .noinc, which counts the arrival first.
inline void Block::arrive_after_copies(std::uint32_t t, std::uint32_t barrier, bool counted,
                                       Place place) {
  if (!may_step(t, {counted ? Step::Verb::expect : Step::Verb::issue, barrier, counted ? 1 : 0}))
    return;
  BarrierSlot* slot = use_barrier(t, barrier, place);
  if (slot == nullptr) return;
  if (counted) report_barrier(slot->state.expect_arrival(), barrier, place);
  AsyncCopy arrival{AsyncCopy::Kind::arrival, t, place};
  arrival.barrier = barrier;
  arrival.number = threads_[t].groups.issued();
  arrival.clock = threads_[t].clock;
  tick(t);
  const int id = add_copy(arrival);
  if (schedule_.landing() == Schedule::Landing::early) land(id);
  may_switch(t);
}

inline void Block::commit_group(std::uint32_t t) { threads_[t].groups.commit(); }

inline void Block::wait_group(std::uint32_t t, std::uint64_t groups) {
  const Time last = threads_[t].groups.complete_after_wait(groups);
  for (const int id : copies_.take(t, last)) land(id);
  threads_[t].clock.seen.raise(agents_.copies_of(t), last);
  may_switch(t);
}

inline void Block::wait_all_copies(std::uint32_t t) {
  commit_group(t);
  wait_group(t, 0);
}

inline void Block::fence_mbarrier_init(std::uint32_t t) {
  for (auto& entry : mbarriers_)
    if (entry.second.init.agent == t) entry.second.init_fenced = true;
}

inline void Block::land(int id) {
  if (!copies_.land(id)) return;
  if (copies_[id].kind == AsyncCopy::Kind::store) {
    AsyncCopy& store = copies_[id];
    read_source(store);
    const auto write = [&](unsigned char* to, std::uint32_t at, std::uint32_t bytes) {
      if (store.combine != nullptr)
        store.combine(to, store.taken.data() + at, bytes);
      else
        std::memcpy(to, store.taken.data() + at, bytes);
    };
    if (store.into != nullptr) write(store.into, 0, store.bytes);
    for (const BoxPiece& p : store.pieces) write(p.global, p.at, p.bytes);
    return;
  }
  const AsyncCopy copy = copies_[id];
  if (copy.kind == AsyncCopy::Kind::arrival) {
    for (const int before : copies_.take(copy.thread, copy.number)) land(before);
    Clock knows = copy.clock;
    knows.seen.raise(agents_.copies_of(copy.thread), copy.number);
    report_barrier(mbarriers_[copy.barrier].state.arrive(1, knows), copy.barrier, copy.place);
    return;
  }
  if (copy.from_bytes != 0) std::memcpy(shared_.data() + copy.to, copy.from, copy.from_bytes);
  std::memset(shared_.data() + copy.to + copy.from_bytes, 0, copy.bytes - copy.from_bytes);
  for (const BoxPiece& p : copy.pieces)
    std::memcpy(shared_.data() + copy.to + p.at, p.global, p.bytes);
  if (copy.kind == AsyncCopy::Kind::bulk) {
    Mbarrier& barrier = mbarriers_[copy.barrier].state;
    copies_[id].number = barrier.phases_ever() + 1;
    shadow_.land(copy.to, copy.bytes, id, copies_[id].number);
    report_barrier(barrier.complete_bytes(copy.bytes), copy.barrier, copy.place);
  }
}

}  // namespace tilepipe::check
