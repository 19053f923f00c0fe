// SPDX-License-Identifier: Apache-2.0
// Atomic accesses of a block: they do not race with each other, and order what they are told to.
#pragma once

#include "block.hpp"

namespace tilepipe::check {

// The bytes to work on, or null after a finding. An access that reads takes what was released
// there; one that writes leaves what its thread knows, and one that does not read, nothing else.
inline unsigned char* Block::atomic(std::uint32_t t, bool in_shared, Address at,
                                    std::uint32_t bytes, Order order, Access access, Place place) {
  unsigned char* found = nullptr;
  const auto shared_at = static_cast<std::uint32_t>(at);
  if (!in_shared)
    found = global(t, at, bytes, bytes, place);
  else if (shared_range(t, shared_at, bytes, place))
    found = shared_.data() + shared_at;
  if (found == nullptr) return nullptr;
  const bool reads = access != Access::write, writes = access != Access::read;
  if (in_shared)
    report_access(shadow_.access_atomically(shared_at, bytes, accessor(t, place), reads, writes), t,
                  place);

  Thread& thread = threads_[t];
  AtomicPlace& there = atomics_[in_shared ? shared_at : at];
  if (reads) (order.acquires ? thread.clock : thread.to_acquire).join(there.released);
  if (writes) {
    if (!reads) there.released.clear();
    there.released.join(order.releases ? thread.clock : thread.released);
    there.bytes = bytes;
    there.writers[t] = accessor(t, place).stamp();
    tick(t);
  }
  thread.polls = reads;
  thread.stop = thread.stop || reads || schedule_.switches();
  return found;
}

// A fence of memory: later atomic writes release what is known now, earlier atomic reads acquire.
inline void Block::fence_memory(std::uint32_t t) {
  Thread& thread = threads_[t];
  thread.clock.join(thread.to_acquire);
  thread.released = thread.clock;
  tick(t);
}

// An access of shared memory that is not atomic, or a copy: it must be ordered after atomic writes.
inline void Block::check_atomics(std::uint32_t t, std::uint32_t at, std::uint32_t bytes,
                                 Place place) {
  for (auto there = atomics_.lower_bound(at < 8 ? 0 : at - 8);
       there != atomics_.end() && there->first < Address{at} + bytes; ++there) {
    if (there->first + there->second.bytes <= at) continue;
    for (const auto& [writer, stamp] : there->second.writers)
      if (!threads_[t].clock.knows(stamp.agent, stamp.time))
        report(Kind::race, place, stamp.place,
               "the access of shared memory (byte " + std::to_string(there->first) + ") by " +
                   thread_text(t) + " at " + this->at(place) +
                   " is not ordered after the atomic write of " + thread_text(writer) + " at " +
                   this->at(stamp.place));
  }
}

}  // namespace tilepipe::check
