// SPDX-License-Identifier: Apache-2.0
// The loop of a pipeline, made of its steps: prologue, steady state, drain; and its two halves
// where there are roles.
#pragma once

#include "pipeline_steps.cuh"

TILEPIPE_NAMESPACE_BEGIN

// What compute may return: whether run goes on.
enum class Flow { go, stop };
inline constexpr Flow go = Flow::go;
inline constexpr Flow stop = Flow::stop;

// One run over tiles numbered by Count. Steps: PipelineSteps.
template <class Steps, class Count, class Load, class Compute>
class PipelineRun {
  using Stage = typename Steps::StageType;
  static constexpr int stages = Steps::stages;
  static constexpr bool reads_only = takes_const<Compute, Stage, Count>;
  static constexpr bool stoppable = is_same<ComputeResult<Compute, Stage, Count>, Flow>;

 public:
  TILEPIPE_D PipelineRun(Steps& steps, Count tiles, Load& load, Compute& compute)
      : s(steps), tiles_(tiles), load_(load), compute_(compute) {}

  // All threads load and compute.
  TILEPIPE_D void unified() {
    constexpr int ahead = stages - 1;
    // With a barrier in the wait, it frees the stage that is refilled next: wait, refill, compute.
    // Else the refill comes before the wait, behind a barrier of its own, and one tile more is in
    // flight.
    constexpr bool wait_first = Steps::CompletionType::wait_is_barrier && ahead > 0;
#pragma unroll
    for (int t = 0; t < ahead; ++t) {
      if (static_cast<Count>(t) < tiles_) {
        s.acquire_stage();
        produce(static_cast<Count>(t));
      } else {
        produce_nothing();
      }
    }
    s.store_pending();  // each release below stores, and so the loop never finds a tile pending at
                        // its start
    for (Count t = 0; t < tiles_; ++t) {
      Stage* stage = nullptr;
      if constexpr (wait_first)
        stage = &s.wait_part();
      else if constexpr (!Steps::acquire_frees)
        if (!Steps::refills_alone || s.unfreed > 0) s.free_released();
      if (tiles_ - t > static_cast<Count>(ahead)) {
        if constexpr (Steps::acquire_frees) s.barriers.acquire(s.write);
        if constexpr (Steps::refills_alone) s.wait_for_stores();
        produce(static_cast<Count>(t + ahead));
      } else {
        produce_nothing();
      }
      if constexpr (!wait_first) stage = &s.wait_part();
      const Flow flow = compute(*stage, t);
      s.release_stage(!reads_only);
      if (stoppable && flow == stop) {
        discard_after(t, ahead);
        break;
      }
    }
    // Stages beyond the last tile go back.
    s.write = s.read;
    s.in_flight = 0;
    s.occupied = 0;
    s.unfreed = stages;
  }

  // Roles: the loading threads.
  TILEPIPE_D void loading() {
    __builtin_assume(s.group.rank >= 0 && s.group.rank < Steps::loading_threads);
    constexpr bool elected = Steps::paths.transactions() && !Steps::paths.each_arrives();
    if (stoppable && elected && s.group.rank >= 32) return;
    for (Count t = 0; t < tiles_; ++t) {
      s.acquire_stage();
      if constexpr (stoppable) {
        // Written by the release of the tile that was in this stage before, which is waited for:
        // all loading threads stop at the same tile, Stages behind the one whose compute said so.
        s.wait_for_readers();
        const bool stopped = t >= stages && s.ring.barriers.stop[s.write.stage] != 0;
        if constexpr (elected) __syncwarp();  // all lanes have read it before one of them issues
        if (stopped) {
          s.barriers.give_back();
          break;
        }
      }
      produce(t);
    }
    s.barriers.finish(s.write);
  }

  // Roles: the computing threads.
  TILEPIPE_D void computing() {
    __builtin_assume(s.rank >= 0 && s.rank < Steps::computing_threads);
    if constexpr (Steps::completion == Completion::mbarrier) s.barriers.begin_computing();
    if constexpr (Steps::turns)
      in_turns();
    else
      each_stage();
  }

 private:
  TILEPIPE_D void each_stage() {
    for (Count t = 0; t < tiles_; ++t) {
      s.release = s.read;  // in step, and so one cursor
      const Flow flow = compute(s.wait_part(), t);
      if constexpr (stoppable)
        if (s.rank == 0 && s.consumer_group == 0)
          s.ring.barriers.stop[s.release.stage] = flow == stop;
      s.release_stage(!reads_only);
      if (stoppable && flow == stop) {
        discard_after(t, stages - 1);
        break;
      }
    }
  }
  // A parity tells two neighbouring rounds of a stage apart, and no more. So a group waits for its
  // first tile when the group before has waited for the tile before it: then the stage's last round
  // is over. Between runs it is the first group's turn.
  TILEPIPE_D void in_turns() {
    static_assert(!stoppable || !Steps::turns,
                  "tilepipe::Pipeline::run: compute may not return tilepipe::stop where groups "
                  "take turns, since the others would not know; let it return nothing");
    const long long length = s.team.length;
    if (length < 1)
      fail_check("tilepipe::SpecializedTurns{tiles}: a turn has %lld tiles; it needs 1 or more\n",
                 length);
    int whose = 0;
    bool first = true;
    for (Count begin = 0; begin < tiles_;) {
      const bool last = static_cast<unsigned long long>(tiles_ - begin) <=
                        static_cast<unsigned long long>(length);
      const Count end = last ? tiles_ : static_cast<Count>(begin + static_cast<Count>(length));
      const int next = last || whose + 1 == Steps::groups ? 0 : whose + 1;
      if (whose == s.consumer_group) {
        if (!first) s.team.wait_for_turn(whose);
        for (Count t = begin; t < end; ++t) {
          s.release = s.read;
          Stage& stage = s.wait_part();
          if (end - t == 1 && next != whose) s.team.pass_turn(next);
          compute(stage, t);
          s.release_stage(!reads_only);
        }
      } else {
        s.skip_stages(end - begin);
      }
      if (last && whose != 0 && s.consumer_group == 0) s.team.wait_for_turn(0);
      begin = end;
      whose = next;
      first = false;
    }
  }
  TILEPIPE_D void produce(Count t) {
    s.observer.acquire(s.write.stage);
    load_(s.ring.stage[s.write.stage], t);
    s.observer.commit(s.write.stage, s.write.part);
    s.publish();
    s.advance();
    s.acquired = false;
  }
  // Beyond the last tile: only counts, so that the depth of the waits stays constant.
  TILEPIPE_D void produce_nothing() {
    for (int part = 0; part < Steps::parts; ++part) s.advance();
  }
  TILEPIPE_D Flow compute(Stage& stage, Count t) {
    if constexpr (stoppable && reads_only) {
      return compute_(static_cast<const Stage&>(stage), t);
    } else if constexpr (stoppable) {
      return compute_(stage, t);
    } else if constexpr (reads_only) {
      compute_(static_cast<const Stage&>(stage), t);
      return go;
    } else {
      compute_(stage, t);
      return go;
    }
  }
  // The tiles that were loaded behind tile t, at most `loaded`, are waited for and released.
  TILEPIPE_D void discard_after(Count t, int loaded) {
    for (Count u = t + 1; u < tiles_ && u - t <= static_cast<Count>(loaded); ++u) {
      for (int part = 0; part < Steps::parts; ++part) s.wait_part();
      s.release_stage(false);
    }
  }

  Steps& s;
  Count tiles_;
  Load& load_;
  Compute& compute_;
};

TILEPIPE_NAMESPACE_END
