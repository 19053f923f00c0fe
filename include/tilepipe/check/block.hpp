// SPDX-License-Identifier: Apache-2.0
// One block of a checked launch: its threads, shared memory, barriers and copies.
#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "async_copies.hpp"
#include "clocks.hpp"
#include "copy_groups.hpp"
#include "findings.hpp"
#include "global_memory.hpp"
#include "mbarrier.hpp"
#include "named_barrier.hpp"
#include "schedule.hpp"
#include "shadow_memory.hpp"
#include "steps.hpp"
#include "warp_meeting.hpp"

namespace tilepipe::check {

// What keeps a thread from going on.
struct Wait {
  enum class Kind { nothing, named_barrier, mbarrier, warp };
  Kind kind = Kind::nothing;
  std::uint32_t object = 0;  // the barrier's number or shared address; the meeting's mask
  std::uint32_t value = 0;   // the parity of an mbarrier
  Place place = no_place;
};

class Block;

// What an atomic access orders, and what it does.
struct Order {
  bool acquires = false, releases = false;
};
enum class Access : std::uint8_t { read, write, update };

struct Thread {
  Clock clock;
  Clock to_acquire;  // what atomic reads have found and the next fence acquires
  Clock released;    // what the last fence releases by atomic writes after it
  CopyGroups groups;
  CopyGroups stores;
  Wait wait;
  bool done = false;
  bool polls = false;  // stopped after an atomic read, so that others move if it waits for them
  bool stop = false;   // leave the interpreter: the thread waits, is done, or others are to run
  // In an ordered schedule a thread stops before a step that others can notice, and repeats the
  // instruction when its turn has come.
  bool repeat = false;
  bool has_turn = false;
  Step next;
  int last_event = -1;
  std::vector<int> after;  // events that came before it by a barrier or a meeting
};

// Chooses who takes the next step in an ordered schedule; all of `choices` could, one event each.
class StepChooser {
 public:
  virtual ~StepChooser() = default;
  // An index into choices, or -1 to end the run. `past` holds the steps so far.
  virtual int choose(const std::vector<Event>& choices, const std::vector<Event>& past) = 0;
  // The run is over.
  virtual void end(Block& block) = 0;
};

class Block {
 public:
  // `place_text` names an instruction and its source line.
  Block(std::uint32_t threads, std::uint32_t shared_bytes, GlobalMemory& global, Schedule schedule,
        std::function<std::string(Place)> place_text)
      : agents_{threads},
        threads_(threads),
        shared_(shared_bytes + 16, 0xff),
        shared_bytes_(shared_bytes),
        barrier_words_(shared_bytes / 8 + 1, 0),
        shadow_(shared_bytes + 16, threads),
        copies_(threads),
        global_(global),
        schedule_(schedule),
        place_text_(std::move(place_text)),
        warps_((threads + 31) / 32),
        alive_(threads) {
    for (std::uint32_t t = 0; t < threads; ++t) threads_[t].clock.seen.raise(t, 1);
  }

  // Runs to the end, or until nothing can move. `resume` runs a thread until its `stop` is set.
  void run(const std::function<void(std::uint32_t)>& resume);  // in scheduler.hpp

  // Loads and stores of shared memory; false after a fault that leaves nothing to read or write.
  bool load(std::uint32_t t, std::uint32_t at, std::uint32_t bytes, Place place, void* to) {
    if (!shared_range(t, at, bytes, place)) return false;
    report_access(shadow_.read(at, bytes, accessor(t, place)), t, place);
    if (!atomics_.empty()) check_atomics(t, at, bytes, place);
    std::memcpy(to, shared_.data() + at, bytes);
    return true;
  }
  bool store(std::uint32_t t, std::uint32_t at, std::uint32_t bytes, Place place,
             const void* from) {
    if (!shared_range(t, at, bytes, place)) return false;
    report_access(shadow_.write(at, bytes, accessor(t, place)), t, place);
    if (!atomics_.empty()) check_atomics(t, at, bytes, place);
    std::memcpy(shared_.data() + at, from, bytes);
    return true;
  }
  // Bytes of global memory, or null after a finding.
  unsigned char* global(std::uint32_t t, Address at, std::uint64_t bytes, std::uint32_t alignment,
                        Place place);

  // Atomic accesses; defined in block_atomics.hpp.
  unsigned char* atomic(std::uint32_t t, bool in_shared, Address at, std::uint32_t bytes,
                        Order order, Access access, Place place);
  void fence_memory(std::uint32_t t);

  // Copies; defined in block_copies.hpp.
  void cp_async(std::uint32_t t, std::uint32_t to, Address from, std::uint32_t bytes,
                std::uint32_t from_bytes, Place place);
  void bulk_load(std::uint32_t t, std::uint32_t to, Address from, std::uint32_t bytes,
                 std::uint32_t barrier, Place place);
  void bulk_store(std::uint32_t t, Address to, std::uint32_t from, std::uint32_t bytes,
                  Combine combine, Place place);
  // The box of a tensor whose first element has those coordinates, the fastest dimension first.
  void tensor_load(std::uint32_t t, std::uint32_t to, const TensorLayout& map,
                   const std::int32_t* first, std::uint32_t barrier, Place place);
  void tensor_store(std::uint32_t t, const TensorLayout& map, const std::int32_t* first,
                    std::uint32_t from, Combine combine, Place place);
  void commit_stores(std::uint32_t t) { threads_[t].stores.commit(); }
  // All stores but those of the newest groups have read, or have read and written.
  void wait_stores(std::uint32_t t, std::uint64_t groups, bool written);
  void arrive_after_copies(std::uint32_t t, std::uint32_t barrier, bool counted, Place place);
  void commit_group(std::uint32_t t);
  void wait_group(std::uint32_t t, std::uint64_t groups);
  void wait_all_copies(std::uint32_t t);
  void fence_proxy(std::uint32_t t) { threads_[t].clock.fence_proxy(); }
  void fence_mbarrier_init(std::uint32_t t);

  // Barriers; defined in block_barriers.hpp.
  std::uint32_t leader(std::uint32_t mask) const { return schedule_.leader(mask); }
  void named_barrier(std::uint32_t t, std::uint32_t id, std::uint32_t count, bool waits, Place,
                     const NamedBarrier::Reduction* reduction = nullptr);
  void mbarrier_init(std::uint32_t t, std::uint32_t at, std::uint32_t count, Place place);
  void mbarrier_inval(std::uint32_t t, std::uint32_t at, Place place);
  std::uint32_t mbarrier_arrive(std::uint32_t t, std::uint32_t at, std::uint32_t count,
                                std::int64_t bytes, Place place);
  void mbarrier_expect(std::uint32_t t, std::uint32_t at, std::int64_t bytes, Place place);
  void mbarrier_wait(std::uint32_t t, std::uint32_t at, std::uint32_t parity, Place place);
  WarpMeeting* meet(std::uint32_t t, std::uint32_t instruction, std::uint32_t mask,
                    std::uint64_t value, const void* caller, Place place);
  // Ends a complete meeting: its lanes go on, and with `orders` know what all of them knew.
  void close_meeting(std::uint32_t t, const WarpMeeting* meeting, bool orders);
  void exit(std::uint32_t t);

  void report(Kind kind, Place here, Place other, const std::string& text) {
    if (!seen_.insert({kind, here, other}).second) return;
    // What the compiler unrolled is one line of the source.
    if (here != no_place && !seen_lines_.insert({kind, at(here), at(other)}).second) return;
    report_.findings.push_back({kind, text, here, other, schedule_.name()});
    if (report_.findings.size() >= max_findings) give_up_ = true;
  }
  std::string at(Place place) const { return place_text_(place); }

  // For an ordered schedule: who chooses instead of the schedule's own turns.
  void set_chooser(StepChooser* chooser) { chooser_ = chooser; }
  const std::vector<Event>& events() const { return events_; }
  bool has_atomics() const { return !atomics_.empty(); }
  // What those who have not finished do next, whether they can or not.
  std::vector<Event> pending_events();
  // What came before the next step of a thread, besides its own steps.
  const std::vector<int>& came_before(std::uint32_t t) const { return threads_[t].after; }

  std::vector<Thread>& threads() { return threads_; }
  Report& result() { return report_; }
  bool given_up() const { return give_up_; }
  void give_up() { give_up_ = true; }
  void set_limits(std::size_t findings, bool lint) {
    max_findings = findings;
    lint_reuse_ = lint;
  }

 private:
  struct BarrierSlot {
    Mbarrier state;
    Stamp init;
    bool init_fenced = false;
    std::uint32_t index = 0;
  };

  // What atomic writes of shared memory have left at an address, and who wrote last.
  struct AtomicPlace {
    Clock released;
    std::uint32_t bytes = 0;
    std::map<std::uint32_t, Stamp> writers;
  };

  Accessor accessor(std::uint32_t t, Place place) const { return {t, threads_[t].clock, place}; }
  void tick(std::uint32_t t) { threads_[t].clock.seen.raise(t, threads_[t].clock.seen[t] + 1); }
  void stop_for(std::uint32_t t, Wait wait) {
    threads_[t].wait = wait;
    threads_[t].stop = true;
  }
  void may_switch(std::uint32_t t) {
    if (schedule_.switches()) threads_[t].stop = true;
  }
  static std::string thread_text(std::uint32_t t) { return "thread " + std::to_string(t); }

  bool shared_range(std::uint32_t t, std::uint32_t at, std::uint32_t bytes, Place place);
  void report_access(const ShadowMemory::Result& result, std::uint32_t t, Place place);
  void check_atomics(std::uint32_t t, std::uint32_t at, std::uint32_t bytes, Place place);
  std::string who(const Conflict& conflict) const;
  BarrierSlot* use_barrier(std::uint32_t t, std::uint32_t at, Place place);
  // In an ordered schedule false until it is the thread's turn to take this step; else true.
  bool may_step(std::uint32_t t, Step step);
  BarrierCounts counts_of(const Step& step);
  bool can_step(const Step& step, const BarrierCounts& counts);
  Event event_of_copy(int id);
  void take_step(Event event, const std::function<void()>& step);
  void run_free(const std::function<void(std::uint32_t)>& resume);
  void run_ordered(const std::function<void(std::uint32_t)>& resume);
  int default_choice(const std::vector<Event>& choices);
  void report_barrier(Mbarrier::Error error, std::uint32_t at, Place place);
  void complete_barrier(NamedBarrier& barrier);
  int add_copy(AsyncCopy copy) {
    copy.issued_by = threads_[copy.thread].last_event;
    return copies_.add(std::move(copy));
  }
  BarrierSlot* barrier_of_copy(std::uint32_t t, std::uint32_t barrier, Place place);
  bool bulk_aligned(std::uint32_t t, std::uint32_t shared, std::uint32_t bytes, Place place);
  bool place_box(const TensorLayout& map, const std::int32_t* first, std::uint32_t shared,
                 AsyncCopy& copy);
  void issue_load(AsyncCopy copy, const BarrierSlot& slot);
  void issue_store(AsyncCopy store);
  void land(int id);
  void read_source(AsyncCopy& store);
  bool can_run(std::uint32_t t);
  void wake(std::uint32_t t);
  void report_deadlock();
  void report_abandoned();
  std::string wait_text(const Wait& wait);

  Agents agents_;
  std::vector<Thread> threads_;
  std::vector<unsigned char> shared_;
  std::uint32_t shared_bytes_;
  std::vector<unsigned char> barrier_words_;  // 8 bytes each: whether a live mbarrier is there
  ShadowMemory shadow_;
  AsyncCopies copies_;
  GlobalMemory& global_;
  Schedule schedule_;
  std::function<std::string(Place)> place_text_;
  std::array<NamedBarrier, 16> named_;
  std::map<std::uint32_t, BarrierSlot> mbarriers_;  // by shared address
  std::map<Address, AtomicPlace> atomics_;          // by address; below 2^32 it is shared
  std::vector<WarpMeetings> warps_;
  std::uint32_t alive_;
  Report report_;
  std::set<std::tuple<Kind, Place, Place>> seen_;
  std::set<std::tuple<Kind, std::string, std::string>> seen_lines_;
  std::size_t max_findings = 16;
  bool lint_reuse_ = false;
  bool give_up_ = false;
  StepChooser* chooser_ = nullptr;
  std::vector<Event> events_;                  // of an ordered schedule
  std::size_t turn_ = 0;                       // the next of the schedule's turns
  std::array<std::vector<int>, 16> arrivals_;  // events on named barriers since they completed
  std::array<std::uint32_t, 16> completed_{};  // how often named barriers have
};

inline unsigned char* Block::global(std::uint32_t t, Address at, std::uint64_t bytes,
                                    std::uint32_t alignment, Place place) {
  if (at % alignment != 0)
    report(Kind::alignment, place, no_place,
           thread_text(t) + " accesses " + global_.describe(at) + ", which is not aligned to " +
               std::to_string(alignment) + " bytes, at " + this->at(place));
  unsigned char* found = global_.find(at, bytes);
  if (found == nullptr)
    report(Kind::bounds, place, no_place,
           thread_text(t) + " accesses " + std::to_string(bytes) + " bytes from " +
               global_.describe(at) + ", at " + this->at(place));
  return found;
}

inline bool Block::shared_range(std::uint32_t t, std::uint32_t at, std::uint32_t bytes,
                                Place place) {
  const std::uint64_t end = std::uint64_t{at} + bytes;
  if (end > shared_bytes_) {
    report(Kind::bounds, place, no_place,
           thread_text(t) + " accesses bytes " + std::to_string(at) + ".." +
               std::to_string(end - 1) + " of shared memory, which has " +
               std::to_string(shared_bytes_) + ", at " + this->at(place));
    return false;
  }
  if ((bytes & (bytes - 1)) == 0 && bytes <= 16 && at % bytes != 0) {
    report(Kind::alignment, place, no_place,
           thread_text(t) + " accesses byte " + std::to_string(at) +
               " of shared memory, not aligned to " + std::to_string(bytes) + " bytes, at " +
               this->at(place));
    return false;
  }
  for (std::uint32_t word = at / 8; word <= (end - 1) / 8; ++word)
    if (barrier_words_[word]) {
      report(Kind::protocol, place, no_place,
             thread_text(t) + " accesses the bytes of the live mbarrier at " +
                 std::to_string(word * 8) + ", at " + this->at(place));
      return false;
    }
  return true;
}

// What an earlier access was, for a message.
inline std::string Block::who(const Conflict& conflict) const {
  const Agent agent = conflict.other.agent;
  std::string text = "the bulk copy";
  if (agents_.is_thread(agent))
    text =
        std::string(conflict.with_write ? "the write" : "the read") + " of " + thread_text(agent);
  else if (agents_.is_cp_async(agent))
    text = "the cp.async of " + thread_text(agent - agents_.threads);
  else if (agents_.is_store(agent))
    text = "the bulk store of " + thread_text(agent - 2 * agents_.threads);
  return text + " at " + at(conflict.other.place);
}

inline void Block::report_access(const ShadowMemory::Result& result, std::uint32_t t, Place place) {
  const auto where = [&] {
    return " of shared memory (byte " + std::to_string(result.byte) + ") by " + thread_text(t) +
           " at " + at(place);
  };
  if (result.race.found())
    report(Kind::race, place, result.race.other.place,
           "the access" + where() + " is not ordered after " + who(result.race));
  else if (result.unwritten)
    report(Kind::unwritten, place, no_place, "the read" + where() + " finds what nothing wrote");
  else if (result.proxy.found() && (result.proxy.with_write || lint_reuse_))
    report(result.proxy.with_write ? Kind::proxy : Kind::reuse_proxy, place,
           result.proxy.other.place,
           "the bulk copy" + where() + " has no fence.proxy.async after " + who(result.proxy));
}

}  // namespace tilepipe::check

#include "block_atomics.hpp"
#include "block_barriers.hpp"
#include "block_copies.hpp"
#include "ordered_run.hpp"
#include "scheduler.hpp"
