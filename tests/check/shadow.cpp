// SPDX-License-Identifier: Apache-2.0
// Tests of shared memory's shadow: which accesses are ordered, byte by byte.
#include <tilepipe/check/shadow_memory.hpp>

#include "support/catch.hpp"

using namespace tilepipe::check;

namespace {

// Two threads and the shadow of 64 bytes; each has taken its first step.
struct Two {
  Clock clocks[2];
  ShadowMemory shadow{64, 2};

  Two() {
    for (Agent t = 0; t < 2; ++t) clocks[t].seen.raise(t, 1);
  }
  Accessor by(Agent t) const { return {t, clocks[t], t}; }
  // Thread `to` learns what `from` has done, as by a barrier.
  void order(Agent from, Agent to) {
    clocks[to].join(clocks[from]);
    clocks[from].seen.raise(from, clocks[from].seen[from] + 1);
  }
};

}  // namespace

TEST_CASE("a read after another thread's write races until something orders them") {
  Two two;
  CHECK_FALSE(two.shadow.write(0, 4, two.by(0)).race.found());
  CHECK_FALSE(two.shadow.read(0, 4, two.by(0)).race.found());
  const auto race = two.shadow.read(0, 4, two.by(1));
  REQUIRE(race.race.found());
  CHECK(race.race.with_write);
  CHECK(race.race.other.agent == 0);
  two.order(0, 1);
  CHECK_FALSE(two.shadow.read(0, 4, two.by(1)).race.found());
}

TEST_CASE("a write after another thread's read races, whoever else has read") {
  for (const bool both_read : {false, true}) {
    Two two;
    two.shadow.write(0, 4, two.by(0));
    two.order(0, 1);
    two.shadow.read(0, 4, two.by(1));
    if (both_read) two.shadow.read(0, 4, two.by(0));
    const auto race = two.shadow.write(0, 4, two.by(0));
    REQUIRE(race.race.found());
    CHECK_FALSE(race.race.with_write);
    CHECK(race.race.other.agent == 1);
    CHECK(race.race.other.place == 1);
  }
}

TEST_CASE("reads do not race with reads, and forgotten readers are forgotten") {
  Two two;
  two.shadow.write(8, 4, two.by(0));
  two.order(0, 1);
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(two.shadow.read(8, 4, two.by(0)).race.found());
    CHECK_FALSE(two.shadow.read(8, 4, two.by(1)).race.found());
  }
  two.order(1, 0);
  CHECK_FALSE(two.shadow.write(8, 4, two.by(0)).race.found());
  CHECK_FALSE(two.shadow.write(8, 4, two.by(0)).race.found());
}

TEST_CASE("every byte has a state of its own") {
  for (std::uint32_t written = 0; written < 8; ++written)
    for (std::uint32_t bytes : {1u, 2u, 4u, 8u}) {
      Two two;
      two.shadow.write(0, 16, two.by(0));
      two.order(0, 1);
      two.shadow.write(written, 1, two.by(0));
      const auto race = two.shadow.read(0, bytes, two.by(1));
      CHECK(race.race.found() == (written < bytes));
      if (race.race.found()) CHECK(race.byte == written);
    }
}

TEST_CASE("a read of what nothing wrote is told apart") {
  Two two;
  CHECK(two.shadow.read(20, 4, two.by(0)).unwritten);
  two.shadow.write(20, 2, two.by(0));
  CHECK_FALSE(two.shadow.read(20, 2, two.by(0)).unwritten);
  const auto result = two.shadow.read(20, 4, two.by(0));
  CHECK(result.unwritten);
  CHECK(result.byte == 22);
}

TEST_CASE("a cp.async copy is ordered for those who know that it is complete") {
  Two two;
  const Agents agents{2};
  two.shadow.issue(0, 16, two.by(0), {agents.copies_of(0), 3, 9}, 0, false);
  CHECK(two.shadow.read(0, 4, two.by(0)).race.found());  // the issuing thread too must wait
  two.clocks[0].seen.raise(agents.copies_of(0), 2);
  CHECK(two.shadow.write(4, 4, two.by(0)).race.found());
  two.clocks[0].seen.raise(agents.copies_of(0), 3);
  CHECK_FALSE(two.shadow.read(8, 4, two.by(0)).race.found());
  CHECK(two.shadow.read(8, 4, two.by(1)).race.found());
}

TEST_CASE("a bulk copy is complete in the phase in which it lands, not before") {
  Two two;
  const Agents agents{2};
  const Agent phases = agents.phases_of(0);
  two.shadow.issue(0, 16, two.by(0), {phases, never, 9}, 5, true);
  two.clocks[0].seen.raise(phases, 100);
  CHECK(two.shadow.read(0, 4, two.by(0)).race.found());
  two.shadow.land(0, 16, 5, 101);
  CHECK(two.shadow.read(4, 4, two.by(0)).race.found());
  two.clocks[0].seen.raise(phases, 101);
  CHECK_FALSE(two.shadow.read(8, 4, two.by(0)).race.found());
}

TEST_CASE("a bulk store reads until its thread's clock knows that it has") {
  Two two;
  const Agents agents{2};
  const Stamp store{agents.stores_of(0), 2, 9};
  CHECK(two.shadow.read_in_bulk(0, 16, two.by(0), store).unwritten);
  two.shadow.write(0, 16, two.by(0));
  CHECK(two.shadow.read_in_bulk(0, 16, two.by(0), store).proxy.found());
  two.clocks[0].fence_proxy();
  CHECK_FALSE(two.shadow.read_in_bulk(0, 16, two.by(0), store).proxy.found());
  CHECK(two.shadow.read_in_bulk(0, 16, two.by(1), store).race.found());
  const auto race = two.shadow.write(4, 4, two.by(0));  // the issuing thread too must wait
  REQUIRE(race.race.found());
  CHECK_FALSE(race.race.with_write);
  CHECK(race.race.other.agent == agents.stores_of(0));
  two.shadow.read_in_bulk(8, 4, two.by(0), store);
  two.clocks[0].seen.raise(agents.stores_of(0), 1);  // an older store
  CHECK(two.shadow.write(8, 4, two.by(0)).race.found());
  two.shadow.read_in_bulk(12, 4, two.by(0), store);
  two.clocks[0].seen.raise(agents.stores_of(0), 2);
  CHECK_FALSE(two.shadow.write(12, 4, two.by(0)).race.found());
}

TEST_CASE("a bulk copy over generic accesses needs a proxy fence") {
  for (const bool write : {false, true}) {
    Two two;
    const Stamp copy{Agents{2}.phases_of(0), never, 9};
    two.shadow.write(0, 16, two.by(0));
    two.clocks[0].fence_proxy();
    two.order(0, 1);
    if (write)
      two.shadow.write(0, 4, two.by(1));
    else
      two.shadow.read(0, 4, two.by(1));
    const auto unfenced = ShadowMemory(two.shadow).issue(0, 16, two.by(1), copy, 0, true);
    CHECK_FALSE(unfenced.race.found());
    REQUIRE(unfenced.proxy.found());
    CHECK(unfenced.proxy.with_write == write);
    two.clocks[1].fence_proxy();
    CHECK_FALSE(two.shadow.issue(0, 16, two.by(1), copy, 0, true).proxy.found());
  }
}
