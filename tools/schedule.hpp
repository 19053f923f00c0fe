// SPDX-License-Identifier: Apache-2.0
// The protocol of a pipeline on the CPU: the core's rings and copy plans, and copies that land
// late.
#pragma once

#include <cstring>
#include <deque>
#include <tilepipe/core/completion.hpp>
#include <tilepipe/core/copy_plan.hpp>
#include <tilepipe/core/ring.hpp>
#include <tilepipe/core/source.hpp>
#include <vector>

namespace schedule {

// What nobody has loaded, or a copy on its way will overwrite: NaN as bf16, fp16 and fp32.
inline constexpr int poison = 0xff;

// One copy of one thread: `bytes` of them are inside the source, zeros follow up to `width`.
struct Copy {
  unsigned char* to;
  const unsigned char* from;
  int bytes;
  int width;
};

// The verbs of one block's pipeline. Each copy lands as late as the protocol allows: when its stage
// is waited for; tiles that travel through registers, when the stage before them is released.
template <class Ring>
class Pipeline {
 public:
  using Stage = typename Ring::Stage;

  Pipeline(Ring& ring, int threads, bool through_registers)
      : ring_(ring), threads_(threads), through_registers_(through_registers) {
    std::memset(static_cast<void*>(&ring), poison, sizeof(Ring));
  }

  Stage& producer_acquire() { return ring_.stage[write_.stage]; }

  // Slice I of N of the copies of a tile with first element (row, col), by all threads.
  template <class Loader, int I, int N, class Tile, class T>
  void fill(tilepipe::Slice<I, N>, Tile& tile, const tilepipe::Source<T, 2>& source,
            tilepipe::index_t row, tilepipe::index_t col) {
    using Plan = typename Loader::Plan;
    const int steps = Plan::steps(threads_);
    for (int step = tilepipe::Slice<I, N>::begin(steps); step < tilepipe::Slice<I, N>::end(steps);
         ++step)
      for (int rank = 0; rank < threads_; ++rank) {
        const tilepipe::ThreadGroup<0> thread{rank, threads_};
        if (!Plan::has(thread, step)) continue;
        const auto chunk = Plan::chunk(thread, step);
        const tilepipe::index_t r = row + chunk.row;
        const tilepipe::index_t c = col + chunk.start() / static_cast<int>(sizeof(T));
        Copy copy{tile.storage + Loader::offset(chunk.row, chunk.start()), nullptr, 0,
                  Loader::width};
        if (r < source.extent[0] && c < source.extent[1]) {
          const tilepipe::index_t left = (source.extent[1] - c) * sizeof(T);
          copy.bytes = left < Loader::width ? static_cast<int>(left) : Loader::width;
          copy.from =
              reinterpret_cast<const unsigned char*>(source.data + r * source.stride[0] + c);
        }
        std::memset(copy.to, poison, copy.width);
        filling_.push_back(copy);
      }
  }

  void producer_commit() {
    if (filling_.empty()) return;
    copies_ += filling_.size();
    in_flight_.push_back(std::move(filling_));
    filling_.clear();
    write_.next_part();
  }

  const Stage& consumer_wait() {
    land(0);
    in_flight_.pop_front();
    const Stage& stage = ring_.stage[read_.stage];
    read_.next_part();
    return stage;
  }

  void consumer_release() {
    if (through_registers_ && !in_flight_.empty()) land(in_flight_.size() - 1);
  }

  long long copies() const { return copies_; }  // committed

 private:
  void land(std::size_t part) {
    for (const Copy& copy : in_flight_[part]) {
      std::memset(copy.to, 0, copy.width);
      if (copy.bytes > 0) std::memcpy(copy.to, copy.from, copy.bytes);
    }
    in_flight_[part].clear();
  }

  Ring& ring_;
  int threads_;
  bool through_registers_;
  tilepipe::RingPosition<Ring::stages, Ring::parts> write_, read_;
  std::vector<Copy> filling_;                // since the last commit
  std::deque<std::vector<Copy>> in_flight_;  // committed and not waited for, oldest first
  long long copies_ = 0;
};

}  // namespace schedule
