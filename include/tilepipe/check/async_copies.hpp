// SPDX-License-Identifier: Apache-2.0
// Copies under way: what each moves, which thread issued it, and in which order they may land.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "clocks.hpp"
#include "findings.hpp"
#include "tensor_map.hpp"

namespace tilepipe::check {

// Combines so many bytes with those that are there.
using Combine = void (*)(unsigned char* there, const unsigned char* with, std::size_t bytes);

struct AsyncCopy {
  enum class Kind {
    cp_async,  // complete when its thread waits for its group, or an arrival follows it
    arrival,   // cp.async.mbarrier.arrive: arrives when the thread's copies before it have landed
    bulk,      // counts its bytes on an mbarrier when it lands; a tensor copy too
    store      // in bulk to global memory, or a tensor store; its thread waits for its group
  };
  Kind kind;
  std::uint32_t thread;
  Place place;
  std::uint32_t to = 0;     // shared address; that a store reads
  std::uint32_t bytes = 0;  // written
  const unsigned char* from = nullptr;
  std::uint32_t from_bytes = 0;           // read; the rest is zeros
  unsigned char* into = nullptr;          // global bytes that a store writes
  Combine combine = nullptr;              // of a store that does not replace them
  std::vector<BoxPiece> pieces = {};      // of a tensor copy: the bytes that are inside the tensor
  std::vector<unsigned char> taken = {};  // what a store has read, once it has
  Time number = 0;            // among its thread's cp.async copies; of an arrival, that of the last
                              // before it; of a landed bulk copy, its barrier's phase
  std::uint32_t barrier = 0;  // shared address of the mbarrier
  std::uint32_t arrivals = 0;
  Clock clock = {};  // of an arrival: what its thread knew
  bool landed = false;
  bool counts_on_barrier() const { return kind == Kind::bulk || kind == Kind::arrival; }
  std::uint32_t nth = 0;  // among the copies of its thread
  int issued_by = -1;     // the event before it, in an ordered schedule
};

// All copies of a run, and which of them are still under way.
class AsyncCopies {
 public:
  explicit AsyncCopies(std::uint32_t threads)
      : of_thread_(threads), stores_(threads), issued_(threads, 0) {}

  int add(AsyncCopy copy) {
    const int id = static_cast<int>(all_.size());
    if (copy.kind == AsyncCopy::Kind::cp_async) of_thread_[copy.thread].push_back(id);
    if (copy.kind == AsyncCopy::Kind::store) stores_[copy.thread].push_back(id);
    copy.nth = issued_[copy.thread]++;
    all_.push_back(std::move(copy));
    positions_.push_back(under_way_.size());
    under_way_.push_back(id);
    bytes_under_way_ += written_by(all_.back());
    if (bytes_under_way_ > peak_bytes_) peak_bytes_ = bytes_under_way_;
    return id;
  }
  AsyncCopy& operator[](int id) { return all_[id]; }
  const std::vector<AsyncCopy>& all() const { return all_; }
  const std::vector<int>& under_way() const { return under_way_; }
  std::uint64_t peak_bytes() const { return peak_bytes_; }

  // Marks a copy as landed; false if it was.
  bool land(int id) {
    if (all_[id].landed) return false;
    all_[id].landed = true;
    bytes_under_way_ -= written_by(all_[id]);
    const int last = under_way_.back();
    under_way_[positions_[id]] = last;
    positions_[last] = positions_[id];
    under_way_.pop_back();
    return true;
  }
  // The copy that was issued last of those that nothing but time makes land, or -1.
  int last_to_force() const {
    int last = -1;
    for (const int id : under_way_)
      if (all_[id].counts_on_barrier() && id > last) last = id;
    return last;
  }
  // Takes the cp.async copies of a thread up to a number off its list: they are to land now.
  std::vector<int> take(std::uint32_t thread, Time last) {
    std::deque<int>& mine = of_thread_[thread];
    std::vector<int> ids;
    for (; !mine.empty() && all_[mine.front()].number <= last; mine.pop_front())
      if (!all_[mine.front()].landed) ids.push_back(mine.front());
    return ids;
  }
  // The bulk stores of a thread up to a number that have not landed, or have not read.
  std::vector<int> stores_up_to(std::uint32_t thread, Time last) {
    std::deque<int>& mine = stores_[thread];
    while (!mine.empty() && all_[mine.front()].landed) mine.pop_front();
    std::vector<int> ids;
    for (const int id : mine)
      if (all_[id].number <= last && !all_[id].landed) ids.push_back(id);
    return ids;
  }

 private:
  static std::uint64_t written_by(const AsyncCopy& copy) {  // of shared memory
    return copy.kind == AsyncCopy::Kind::store ? 0 : copy.bytes;
  }

  std::vector<AsyncCopy> all_;
  std::vector<std::size_t> positions_;  // in under_way_
  std::vector<int> under_way_;
  std::vector<std::deque<int>> of_thread_;
  std::vector<std::deque<int>> stores_;
  std::vector<std::uint32_t> issued_;
  std::uint64_t bytes_under_way_ = 0;
  std::uint64_t peak_bytes_ = 0;
};

}  // namespace tilepipe::check
