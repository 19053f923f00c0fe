// SPDX-License-Identifier: Apache-2.0
// Tests of Ring and RingPosition: positions against / and %, sizes against the sum of the members.
#include <cstddef>
#include <tilepipe/core/ring.hpp>
#include <tilepipe/core/shared_memory.hpp>
#include <utility>

#include "support/catch.hpp"
#include "support/tally.hpp"

namespace {

using tilepipe::Ring;
using tilepipe::RingPosition;
using tilepipe_test::Tally;

// Every part of `rounds` rounds, the first being round `first` of an endless run.
template <int Stages, int Parts>
void walk_parts(Tally& tally, long long first, int rounds) {
  RingPosition<Stages, Parts> at{0, 0, static_cast<unsigned>(first % 2)};
  for (long long n = first * Stages * Parts; n < (first + rounds) * Stages * Parts; ++n) {
    const long long stage = n / Parts;
    tally.expect(at.stage == stage % Stages && at.part == n % Parts &&
                     at.parity == static_cast<unsigned>(stage / Stages % 2) &&
                     at.slot() == n % (Stages * Parts),
                 "next_part", {Stages, Parts, n});
    at.next_part();
  }
}

// next_stage() alone, as a team does that has no parts.
template <int Stages, int Parts>
void walk_stages(Tally& tally) {
  RingPosition<Stages, Parts> at;
  for (int n = 0; n < 5 * Stages; ++n) {
    tally.expect(at.stage == n % Stages && at.part == 0 && at.slot() == n % Stages * Parts &&
                     at.parity == static_cast<unsigned>(n / Stages % 2),
                 "next_stage", {Stages, Parts, n});
    at.next_stage();
  }
}

// skip_stages(n) is n times next_stage(), from every stage and parity; and far.
template <int Stages, int Parts>
void skip(Tally& tally) {
  for (int from = 0; from < 2 * Stages; ++from)
    for (int n = 0; n <= 5 * Stages; ++n) {
      RingPosition<Stages, Parts> stepped{from % Stages, 0, static_cast<unsigned>(from / Stages)};
      RingPosition<Stages, Parts> skipped = stepped;
      for (int i = 0; i < n; ++i) stepped.next_stage();
      skipped.skip_stages(n);
      tally.expect(
          skipped.stage == stepped.stage && skipped.parity == stepped.parity && skipped.part == 0,
          "skip_stages", {Stages, from, n});
      skipped.skip_stages((1ll << 40) * Stages);  // an even number of rounds
      tally.expect(skipped.stage == stepped.stage && skipped.parity == stepped.parity,
                   "skip_stages by 2^40 rounds", {Stages, from, n});
    }
}

// From the start; and where rounds, stages and parts pass 2^32, at which 32-bit counters wrap.
template <int Stages, int Parts>
void walk(Tally& tally) {
  constexpr long long limit = 1ll << 32;
  for (const long long first : {0ll, limit - 2, limit / Stages - 2, limit / (Stages * Parts) - 2})
    walk_parts<Stages, Parts>(tally, first, 5);
  walk_stages<Stages, Parts>(tally);
  skip<Stages, Parts>(tally);
}

struct Small {
  unsigned char byte[5];
};
struct alignas(1024) Wide {
  unsigned char byte[2048];
};

template <class Stage, int Stages, int Parts>
void measure(Tally& tally) {
  constexpr bool exists = (Stages - 1) * Parts <= 63;
  tally.expect(tilepipe::is_ring_size(Stages, Parts) == exists, "is_ring_size", {Stages, Parts});
  if constexpr (exists) {
    using R = Ring<Stage, Stages, Parts>;
    static_assert(__is_trivial(R), "a ring lies in shared memory, where no constructor runs");
    constexpr std::size_t alignment = alignof(Stage) > 8 ? alignof(Stage) : 8;
    constexpr std::size_t barriers = (8 * Stages * Parts + 8 * Stages + 4 * Stages + 7) / 8 * 8;
    constexpr std::size_t bytes =
        ((sizeof(Stage) * Stages + 7) / 8 * 8 + barriers + alignment - 1) / alignment * alignment;
    tally.expect(sizeof(R) == bytes && alignof(R) == alignment, "sizeof", {Stages, Parts});
    tally.expect(tilepipe::ring_bytes<Stage>(Stages, Parts) == bytes, "ring_bytes",
                 {Stages, Parts});
  }
}

template <int Stages, int... P>
void each_part(Tally& positions, Tally& sizes, std::integer_sequence<int, P...>) {
  (walk<Stages, P + 1>(positions), ...);
  (measure<Small, Stages, P + 1>(sizes), ...);
  (measure<Wide, Stages, P + 1>(sizes), ...);
}
template <int... S>
void each_stage(Tally& positions, Tally& sizes, std::integer_sequence<int, S...>) {
  (each_part<S + 1>(positions, sizes, std::make_integer_sequence<int, 8>{}), ...);
}

}  // namespace

TEST_CASE("RingPosition and Ring agree with division and sums when S is 1..16 and P 1..8") {
  Tally positions;
  Tally sizes;
  each_stage(positions, sizes, std::make_integer_sequence<int, 16>{});
  CHECK(positions.report() == "");
  CHECK(sizes.report() == "");
  CHECK(positions.checks() == 4 * 5 * 136 * 36 + 5 * 136 * 8 + 8 * (20 * 1496 + 4 * 136));
}

TEST_CASE("is_ring_size refuses stages and parts when they are outside 1..16 and 1..8") {
  for (const int bad : {0, -1, 17, 1000}) CHECK_FALSE(tilepipe::is_ring_size(bad, 1));
  for (const int bad : {0, -1, 9, 1000}) CHECK_FALSE(tilepipe::is_ring_size(1, bad));
}

TEST_CASE("Ring keeps its stages first when its barriers follow") {
  using R = Ring<Small, 3, 2>;
  CHECK(offsetof(R, stage) == 0);
  CHECK(offsetof(R, barriers) == 16);  // 3 * 5 bytes, rounded up to 8
  CHECK(R::stages == 3);
  CHECK(R::parts == 2);
}
