// SPDX-License-Identifier: Apache-2.0
// Meetings of a warp's lanes: bar.warp.sync, shuffles, votes and elections, by mask.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "clocks.hpp"

namespace tilepipe::check {

// What the lanes bring to one instruction; complete when every lane of the mask has come.
struct WarpMeeting {
  std::uint32_t instruction = 0;  // which kind of instruction meets
  std::uint32_t mask = 0;
  std::uint32_t here = 0;
  std::array<std::uint64_t, 32> values{};
  std::array<const void*, 32> callers{};  // the instruction of each lane, for its registers
  Clock gathering;

  bool complete() const { return here == mask; }
};

// The open meetings of one warp.
class WarpMeetings {
 public:
  // The meeting that this lane has joined, or null if the mask does not name it.
  WarpMeeting* join(std::uint32_t instruction, std::uint32_t mask, std::uint32_t lane,
                    std::uint64_t value, const void* caller, const Clock& clock) {
    if ((mask >> lane & 1) == 0) return nullptr;
    WarpMeeting* found = nullptr;
    for (WarpMeeting& m : open_)
      if (m.instruction == instruction && m.mask == mask && (m.here >> lane & 1) == 0) found = &m;
    if (found == nullptr) {
      open_.push_back({});
      found = &open_.back();
      found->instruction = instruction;
      found->mask = mask;
    }
    found->here |= 1u << lane;
    found->values[lane] = value;
    found->callers[lane] = caller;
    found->gathering.join(clock);
    return found;
  }
  void close(const WarpMeeting* meeting) { open_.erase(open_.begin() + (meeting - open_.data())); }
  const std::vector<WarpMeeting>& open() const { return open_; }

 private:
  std::vector<WarpMeeting> open_;
};

}  // namespace tilepipe::check
