// SPDX-License-Identifier: Apache-2.0
// Shared memory's shadow: for each byte, who wrote it last and who has read it since.
#pragma once

#include <cstdint>
#include <vector>

#include "clocks.hpp"
#include "findings.hpp"

namespace tilepipe::check {

struct Stamp {
  Agent agent = nobody;
  Time time = 0;
  Place place = no_place;
};

// Who accesses: a thread, what it knows, and the instruction.
struct Accessor {
  Agent thread;
  const Clock& clock;
  Place place;
  Stamp stamp() const { return {thread, clock.seen[thread], place}; }
};

// The first earlier access that the new one is not ordered after, if any.
struct Conflict {
  Stamp other;
  bool with_write = false;
  bool found() const { return other.agent != nobody; }
};

class ShadowMemory {
 public:
  struct Result {
    Conflict race;
    Conflict proxy;  // ordered, but without a proxy fence
    bool unwritten = false;
    std::uint32_t byte = 0;  // of the first fault
  };

  ShadowMemory(std::uint32_t bytes, std::uint32_t threads)
      : cells_((bytes + 3) / 4 * 4), whole_((bytes + 3) / 4, 1), threads_(threads) {}

  Result read(std::uint32_t at, std::uint32_t bytes, const Accessor& by) {
    Result result;
    const Stamp stamp = by.stamp();
    for_cells(at, bytes, [&](Cell& cell, std::uint32_t byte) {
      if (!known(cell.write, by.clock)) set(result, result.race, cell.write, true, byte);
      if (cell.write.agent == nobody && !result.unwritten) {
        result.unwritten = true;
        result.byte = byte;
      }
      record_read(cell, stamp, by.clock);
    });
    return result;
  }
  Result write(std::uint32_t at, std::uint32_t bytes, const Accessor& by) {
    Result result;
    const Stamp stamp = by.stamp();
    for_cells(at, bytes, [&](Cell& cell, std::uint32_t byte) {
      check_overwrite(cell, by.clock, byte, result);
      replace(cell, stamp, -1);
    });
    return result;
  }
  // Ordered against plain accesses alone: what an atomic access writes counts as known to everyone.
  Result access_atomically(std::uint32_t at, std::uint32_t bytes, const Accessor& by, bool reads,
                           bool writes) {
    Result result;
    for_cells(at, bytes, [&](Cell& cell, std::uint32_t byte) {
      if (writes) check_overwrite(cell, by.clock, byte, result);
      if (!known(cell.write, by.clock)) set(result, result.race, cell.write, true, byte);
      if (reads && cell.write.agent == nobody && !result.unwritten) {
        result.unwritten = true;
        result.byte = byte;
      }
      if (writes && cell.write.agent == nobody) replace(cell, {by.thread, 0, by.place}, -1);
    });
    return result;
  }
  // A copy is issued: its bytes count as written by `copy` from now on. In bulk it goes by the
  // asynchronous proxy, and its time is `never` until it lands.
  Result issue(std::uint32_t at, std::uint32_t bytes, const Accessor& by, Stamp copy, int id,
               bool in_bulk) {
    Result result;
    for_cells(at, bytes, [&](Cell& cell, std::uint32_t byte) {
      check_overwrite(cell, by.clock, byte, result);
      if (in_bulk) check_proxy(cell, by.clock, byte, result);
      replace(cell, copy, id);
    });
    return result;
  }
  // A bulk store is issued: `store` reads the bytes until its thread knows that time of it.
  Result read_in_bulk(std::uint32_t at, std::uint32_t bytes, const Accessor& by, Stamp store) {
    Result result;
    for_cells(at, bytes, [&](Cell& cell, std::uint32_t byte) {
      if (!known(cell.write, by.clock)) set(result, result.race, cell.write, true, byte);
      if (cell.write.agent == nobody && !result.unwritten) {
        result.unwritten = true;
        result.byte = byte;
      }
      if (unfenced(cell.write, by.clock)) set(result, result.proxy, cell.write, true, byte);
      record_read(cell, store, by.clock);
    });
    return result;
  }
  // The bytes of a bulk copy that nothing has replaced are complete at that time of its agent.
  void land(std::uint32_t at, std::uint32_t bytes, int id, Time time) {
    for_cells(at, bytes, [&](Cell& cell, std::uint32_t) {
      if (cell.copy == id) cell.write.time = time;
    });
  }

 private:
  struct Cell {
    Stamp write;
    Stamp read;
    int readers = -1;  // into pool_, where threads have read that do not know of each other
    int copy = -1;
  };

  // Cells of a word are alike while it is accessed whole; the first stands for all four.
  template <class F>
  void for_cells(std::uint32_t at, std::uint32_t bytes, F f) {
    const std::uint32_t end = at + bytes;
    while (at < end) {
      const std::uint32_t word = at / 4;
      const bool covers = at % 4 == 0 && end - at >= 4;
      if (covers && whole_[word]) {
        f(cells_[at], at);
        at += 4;
        continue;
      }
      if (whole_[word]) split(word);
      f(cells_[at], at);
      ++at;
    }
  }
  void split(std::uint32_t word) {
    whole_[word] = 0;
    Cell& first = cells_[4 * word];
    for (int i = 1; i < 4; ++i) {
      Cell& cell = cells_[4 * word + i];
      cell = first;
      if (first.readers >= 0) {
        cell.readers = take_readers();
        pool_[cell.readers] = pool_[first.readers];
      }
    }
  }

  static bool known(const Stamp& stamp, const Clock& clock) {
    return stamp.agent == nobody || clock.knows(stamp.agent, stamp.time);
  }
  static void set(Result& result, Conflict& conflict, const Stamp& other, bool write,
                  std::uint32_t byte) {
    if (conflict.found()) return;
    conflict = {other, write};
    result.byte = byte;
  }
  void check_overwrite(const Cell& cell, const Clock& clock, std::uint32_t byte, Result& result) {
    if (!known(cell.write, clock)) set(result, result.race, cell.write, true, byte);
    for_readers(cell, [&](const Stamp& reader) {
      if (!known(reader, clock)) set(result, result.race, reader, false, byte);
    });
  }
  void check_proxy(const Cell& cell, const Clock& clock, std::uint32_t byte, Result& result) {
    if (unfenced(cell.write, clock)) return set(result, result.proxy, cell.write, true, byte);
    for_readers(cell, [&](const Stamp& reader) {
      if (unfenced(reader, clock)) set(result, result.proxy, reader, false, byte);
    });
  }
  // Threads and cp.async copies access by the generic proxy.
  bool unfenced(const Stamp& stamp, const Clock& clock) const {
    return stamp.agent < 2 * threads_ && !clock.knows_fenced(stamp.agent, stamp.time);
  }
  template <class F>
  void for_readers(const Cell& cell, F f) const {
    if (cell.readers < 0) return f(cell.read);
    for (const Stamp& reader : pool_[cell.readers]) f(reader);
  }
  // A read that this one is ordered after need not be remembered: who is ordered after this one is
  // ordered after both.
  void record_read(Cell& cell, const Stamp& stamp, const Clock& clock) {
    if (cell.readers < 0) {
      if (cell.read.agent == stamp.agent || known(cell.read, clock)) {
        cell.read = stamp;
        return;
      }
      cell.readers = take_readers();
      pool_[cell.readers] = {cell.read, stamp};
      return;
    }
    std::vector<Stamp>& readers = pool_[cell.readers];
    if (readers.back().agent == stamp.agent) {
      readers.back() = stamp;
      return;
    }
    for (std::size_t i = readers.size(); i-- > 0;)
      if (readers[i].agent == stamp.agent || known(readers[i], clock)) {
        readers[i] = readers.back();
        readers.pop_back();
      }
    readers.push_back(stamp);
  }
  void replace(Cell& cell, const Stamp& stamp, int copy) {
    cell.write = stamp;
    cell.read = {};
    cell.copy = copy;
    if (cell.readers >= 0) free_.push_back(cell.readers);
    cell.readers = -1;
  }
  int take_readers() {
    if (free_.empty()) {
      pool_.emplace_back();
      return static_cast<int>(pool_.size()) - 1;
    }
    const int taken = free_.back();
    free_.pop_back();
    return taken;
  }

  std::vector<Cell> cells_;
  std::vector<unsigned char> whole_;
  std::vector<std::vector<Stamp>> pool_;
  std::vector<int> free_;
  std::uint32_t threads_;
};

}  // namespace tilepipe::check
