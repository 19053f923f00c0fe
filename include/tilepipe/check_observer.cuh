// SPDX-License-Identifier: Apache-2.0
// The observer that checks the order of calls: every pipeline's under TILEPIPE_CHECKS.
#pragma once

#include "checks.cuh"
#include "config.hpp"

TILEPIPE_NAMESPACE_BEGIN

// A wrong order of calls gets a message and a trap.
class CheckObserver {
 public:
  TILEPIPE_D void begin(const PipelineInfo& info) { info_ = info; }

  TILEPIPE_D void acquire(int) {
    if (!info_.loads)
      fail_check("tilepipe::Pipeline::producer_acquire: called by a thread that computes\n");
    if (info_.computes && occupied_ == info_.stages)
      fail_check(
          "tilepipe::Pipeline::producer_acquire: all %d stages are filled or held; release one "
          "before acquiring\n",
          info_.stages);
    ++occupied_;
    acquired_ = true;
  }
  TILEPIPE_D void issue(int, int) {
    if (!acquired_)
      fail_check("tilepipe::Pipeline::fill: no stage is acquired; call producer_acquire first\n");
  }
  TILEPIPE_D void commit(int, int part) {
    if (!acquired_)
      fail_check(
          "tilepipe::Pipeline::producer_commit: no stage is acquired; call producer_acquire "
          "first\n");
    ++in_flight_;
    if (part == info_.parts - 1) acquired_ = false;
  }
  TILEPIPE_D void wait_begin(int, int) {
    if (!info_.computes)
      fail_check("tilepipe::Pipeline::consumer_wait: called by a thread that only loads\n");
    if (info_.loads && in_flight_ == 0)
      fail_check(
          "tilepipe::Pipeline::consumer_wait: nothing is in flight; fill and commit a stage "
          "first\n");
  }
  TILEPIPE_D void wait_end(int, int part) {
    --in_flight_;
    if (part == 0) ++held_;
    if (part == info_.parts - 1) ++whole_;
  }
  TILEPIPE_D void store() {
    if (held_ == 0)
      fail_check("tilepipe::Pipeline::store: no stage is held; call consumer_wait first\n");
  }
  TILEPIPE_D void release(int) {
    if (held_ == 0)
      fail_check(
          "tilepipe::Pipeline::consumer_release: no stage is held; call consumer_wait first\n");
    if (whole_ == 0)
      fail_check(
          "tilepipe::Pipeline::consumer_release: the stage has parts not waited for; wait for all "
          "%d parts\n",
          info_.parts);
    --held_;
    --whole_;
    --occupied_;
  }
  TILEPIPE_D void drain() {
    in_flight_ = 0;
    occupied_ = 0;
    held_ = 0;
    whole_ = 0;
    acquired_ = false;
  }
  TILEPIPE_D void end() {
    if (info_.loads && info_.computes && (in_flight_ != 0 || acquired_))
      fail_check(
          "tilepipe::Pipeline: its scope ends with %d parts in flight; wait for them, or call "
          "drain() or leave()\n",
          in_flight_);
  }

 private:
  PipelineInfo info_{};
  int in_flight_ = 0;  // parts committed and not waited for; with roles of the own side only
  int occupied_ = 0;   // stages acquired and not released
  int held_ = 0;       // stages waited for and not released
  int whole_ = 0;      // of them, those with all parts waited for
  bool acquired_ = false;
};

TILEPIPE_NAMESPACE_END
