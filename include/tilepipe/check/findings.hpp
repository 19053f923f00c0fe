// SPDX-License-Identifier: Apache-2.0
// What a check can find: kinds, severities, and the report of a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilepipe::check {

// An instruction of the checked kernel, by its index; the kernel knows its source line.
using Place = std::uint32_t;
inline constexpr Place no_place = ~0u;

enum class Kind {
  race,        // two accesses that nothing orders, one of them a write or a copy
  unwritten,   // a read of shared memory that nothing has written
  bounds,      // an access outside its memory
  alignment,   // an address or size that the instruction does not allow
  protocol,    // a barrier used against its rules
  deadlock,    // threads wait and nothing can wake them
  abandoned,   // a copy that nobody waits for
  proxy,       // generic writes and asynchronous copies without a proxy fence between
  reuse_proxy  // generic reads before an asynchronous copy without one: off unless asked for
};

enum class Severity { error, proxy, lint };

inline const char* name_of(Kind kind) {
  constexpr const char* names[] = {"race",     "unwritten", "bounds", "alignment",  "protocol",
                                   "deadlock", "abandoned", "proxy",  "reuse-proxy"};
  return names[static_cast<int>(kind)];
}

inline Severity severity_of(Kind kind) {
  if (kind == Kind::reuse_proxy) return Severity::lint;
  return kind == Kind::proxy ? Severity::proxy : Severity::error;
}
inline const char* name_of(Severity severity) {
  constexpr const char* names[] = {"error", "proxy", "lint"};
  return names[static_cast<int>(severity)];
}

struct Finding {
  Kind kind;
  std::string text;        // one sentence, with the source lines in it
  Place here = no_place;   // where it showed
  Place other = no_place;  // what it conflicts with
  std::string replay;      // the schedule that shows it again
};

// What one or more schedules of a launch showed.
struct Report {
  std::vector<Finding> findings;
  std::uint64_t schedules = 0;
  bool complete = false;  // a search has been through every order of steps, or stopped at a finding
  std::uint64_t instructions = 0;
  std::uint64_t barriers = 0;    // completed barriers of the block, named ones too
  std::uint64_t peak_bytes = 0;  // of shared memory that copies were to write at one time
  std::uint64_t asynchronous_copies = 0;
  std::vector<unsigned char> reached;  // of each instruction: whether any thread ran it

  bool clean() const { return findings.empty(); }
  bool has(Kind kind) const {
    for (const Finding& finding : findings)
      if (finding.kind == kind) return true;
    return false;
  }
  std::string text() const {
    std::string all;
    for (const Finding& f : findings)
      all += std::string(name_of(severity_of(f.kind))) + ": " + name_of(f.kind) + ": " + f.text +
             "\n  replay: " + f.replay + "\n";
    return all;
  }
  void add(const Report& other) {
    for (const Finding& finding : other.findings) {
      bool known = false;
      for (const Finding& mine : findings)
        known = known || (mine.kind == finding.kind && mine.here == finding.here &&
                          mine.other == finding.other);
      if (!known) findings.push_back(finding);
    }
    reached.resize(std::max(reached.size(), other.reached.size()), 0);
    for (std::size_t i = 0; i < other.reached.size(); ++i) reached[i] |= other.reached[i];
    schedules += other.schedules;
    instructions += other.instructions;
    barriers = std::max(barriers, other.barriers);
    peak_bytes = std::max(peak_bytes, other.peak_bytes);
    asynchronous_copies = std::max(asynchronous_copies, other.asynchronous_copies);
  }
};

}  // namespace tilepipe::check
