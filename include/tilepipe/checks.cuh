// SPDX-License-Identifier: Apache-2.0
// What TILEPIPE_CHECKS checks on the device: the order of calls, and the promises of loaders.
#pragma once

#include "config.hpp"
#include "copy/rows.cuh"
#include "core/copy_plan.hpp"
#include "core/path.hpp"
#include "core/tensor_map.hpp"

TILEPIPE_NAMESPACE_BEGIN

// What an observer is told first.
struct PipelineInfo {
  int stages;
  int parts;
  bool loads;  // the calling thread's roles
  bool computes;
};

// Prints a sentence and ends the kernel with a trap. Arguments as of printf. (Without
// TILEPIPE_CHECKS the headers do not bring printf along, and it traps only.)
template <class... Args>
TILEPIPE_D void fail_check(const char* format, Args... args) {
#if defined(TILEPIPE_CHECKS)
  printf(format, args...);
  printf("tilepipe: in block (%u, %u, %u), thread (%u, %u, %u)\n", blockIdx.x, blockIdx.y,
         blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
#else
  (void)format;
  ((void)args, ...);
#endif
  __trap();
}

// The observer under TILEPIPE_CHECKS: a wrong order of calls gets a message and a trap.
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

// A tensor map must be where a tensor copy can read it. who: TileLoader or TileStorer.
template <class Tile>
TILEPIPE_D void check_tensor_source(const char* who, const TensorSource<Tile>& source) {
  if (source.mapped != 0 && !__isGridConstant(&source) && !__isGlobal(&source))
    fail_check(
        "tilepipe::%s<Tile, Mapped>: the TensorSource is a copy in the thread's memory, "
        "where a tensor copy cannot read its map; take the kernel's parameter as const "
        "__grid_constant__ TensorSource<Tile>\n",
        who);
}

// A tile's rows against what its loader or storer promised: alignment, where copies need it, that
// the array has the rows that an index names, and for Exact tiles that it has all of the tile. Who:
// TileLoader or TileStorer, whose edges, and the array.
struct WhoPromises {
  const char* name;
  const char* edges;
  const char* array;
};
template <class Traits, int G, class Rows>
TILEPIPE_D void check_promise(ThreadGroup<G> group, const Rows& rows, ByteRange inside,
                              WhoPromises who, bool aligned = true) {
  using Tile = typename Traits::Tile;
  for (int r = group.rank; r < Tile::rows; r += group.size()) {
    const RowPlace place = rows(r);
    if constexpr (Traits::config.source == SourceKind::gathered)
      if (!place.present && rows.named(r) != absent_row)
        fail_check(
            "tilepipe::%s<Tile, Gathered>: row %d of the tile is row %lld of the %s, which has "
            "%lld "
            "rows; name one of them, or tilepipe::absent_row\n",
            who.name, r, rows.named(r), who.array, rows.count());
    if constexpr (Traits::config.edge == Edge::exact) {
      if (!place.present)
        fail_check("tilepipe::%s<Tile, Exact>: row %d of the tile is not in the %s; use %s\n",
                   who.name, r, who.array, who.edges);
      if (inside.first != 0 || inside.last != Tile::row_bytes)
        fail_check(
            "tilepipe::%s<Tile, Exact>: of a row's %d bytes, bytes %d to %d are in the %s; use "
            "%s\n",
            who.name, Tile::row_bytes, inside.first, inside.last, who.array, who.edges);
    }
    if constexpr (Traits::config.packed && Traits::config.source != SourceKind::gathered)
      if (place.start != rows(0).start + r * Tile::row_bytes)
        fail_check(
            "tilepipe::%s<Tile, Packed>: row %d of the tile does not follow the row before it; "
            "leave Packed out\n",
            who.name, r);
    const auto address = reinterpret_cast<unsigned long long>(place.start);
    if (aligned && place.present && address % Traits::width != 0)
      fail_check(
          "tilepipe::%s: row %d of the tile starts at 0x%llx, which is not a multiple of the "
          "promised %d bytes; use Aligned<n> or AnyAlignment\n",
          who.name, r, address, Traits::width);
  }
}

TILEPIPE_NAMESPACE_END
