// SPDX-License-Identifier: Apache-2.0
// Ring: the stages of a pipeline and their barriers; and the position that walks around it.
#pragma once

#include "std.hpp"

TILEPIPE_NAMESPACE_BEGIN

inline constexpr int max_stages = 16;
inline constexpr int max_parts = 8;

// The barrier words of a ring, used or not: full, one for each part of a stage; empty, one a stage;
// stop, by which computing threads tell loading threads that a run ends early.
template <int Stages, int Parts>
struct RingBarriers {
  unsigned long long full[Stages * Parts];
  unsigned long long empty[Stages];
  unsigned stop[Stages];
};

// Stages copies of the user's Stage, each handed over in Parts parts. Place one for each team in
// static or dynamic shared memory, aligned to alignof; a Pipeline is made on it. Trivial; sizeof
// and alignof depend on the arguments alone, so that sizeof in host code is right for every
// architecture.
template <class Stage_, int Stages, int Parts = 1>
struct Ring {
  static_assert(Stages >= 1, "tilepipe::Ring<Stage, Stages>: Stages must be 1..16, is less than 1");
  static_assert(Stages <= max_stages,
                "tilepipe::Ring<Stage, Stages>: Stages must be 1..16, is more than 16");
  static_assert(Parts >= 1 && Parts <= max_parts,
                "tilepipe::Ring<Stage, Stages, Parts>: Parts must be 1..8");
  static_assert((Stages - 1) * Parts <= 63,
                "tilepipe::Ring<Stage, Stages, Parts>: (Stages - 1) * Parts must be at most 63, "
                "the depth at which cp.async.wait_group saturates");
  static_assert(
      __is_trivially_copyable(Stage_),
      "tilepipe::Ring<Stage, Stages>: Stage must be trivially copyable, a plain struct of tiles");
  using Stage = Stage_;
  static constexpr int stages = Stages;
  static constexpr int parts = Parts;

  Stage_ stage[Stages];
  RingBarriers<Stages, Parts> barriers;
};

// Slots copies of a tile on its way to global memory: one is written while others are read by
// stores. Place one for each team, aligned to alignof; a StorePipeline is made on it. Trivial, and
// as Ring the same size on every target.
template <class Tile_, int Slots>
struct StoreRing {
  static_assert(Slots >= 1 && Slots <= max_stages,
                "tilepipe::StoreRing<Tile, Slots>: Slots must be 1..16");
  using Tile = Tile_;
  static constexpr int slots = Slots;

  Tile_ slot[Slots];
};

// A place in the ring: stage, part within it, and the parity of the round. Walks by increment, and
// so for any number of tiles.
template <int Stages, int Parts = 1>
struct RingPosition {
  int stage = 0;
  int part = 0;
  unsigned parity = 0;

  TILEPIPE_HD constexpr void next_stage() {
    if (++stage == Stages) {
      stage = 0;
      parity ^= 1u;
    }
  }
  // The same n times; n >= 0, at the first part of a stage.
  template <class Count>
  TILEPIPE_HD constexpr void skip_stages(Count n) {
    const Count from_start = n + static_cast<Count>(stage);
    stage = static_cast<int>(from_start % Stages);
    parity ^= static_cast<unsigned>(from_start / Stages) & 1u;
  }
  TILEPIPE_HD constexpr void next_part() {
    if (++part == Parts) {
      part = 0;
      next_stage();
    }
  }
  TILEPIPE_HD constexpr int slot() const {
    return stage * Parts + part;
  }  // of the part, in RingBarriers::full
};

TILEPIPE_NAMESPACE_END
