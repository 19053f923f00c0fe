// SPDX-License-Identifier: Apache-2.0
// What a tile type and the options of its loader decide at compile time.
#pragma once

#include "completion.hpp"
#include "copy_plan.hpp"
#include "path.hpp"
#include "tensor_box.hpp"
#include "tensor_map.hpp"
#include "tile.hpp"

TILEPIPE_NAMESPACE_BEGIN

template <class Tile_, class... Options>
struct LoaderTraits {
  using Tile = Tile_;
  using T = typename Tile::value_type;
  static constexpr LoaderConfig config = configure<Options...>();
  static constexpr TileShape shape = shape_of<Tile>();
  static constexpr int rank = Tile::rank;
  // Bytes that are promised to be aligned, and that one thread copies at once.
  static constexpr int width = promised_alignment(shape, config);
  using Plan = ChunkPlan<Tile::rows, Tile::row_bytes, width>;

  // Path, width and reason on any architecture (75, 80, 90, ...).
  static TILEPIPE_HD constexpr Choice choice(int arch) { return choose_path(arch, shape, config); }
  // In the code being compiled.
  static constexpr Path path = choice(this_arch).path;
  // In a pipeline of this team, with this completion demanded.
  template <TeamKind Team, Completion Demanded>
  static constexpr Path path_in = choose_path(this_arch, shape, config, Team, Demanded).path;

  // Whether the tile is one run of bytes, which a bulk copy brings at once.
  static constexpr bool one_run = shape.gapless && config.edge == Edge::exact &&
                                  config.source != SourceKind::gathered &&
                                  (Tile::rows == 1 || config.packed);
  // Whether one thread issues all the tile's copies that count bytes, on this path.
  template <Path P>
  static TILEPIPE_HD constexpr bool one_issuer() {
    if constexpr (P == Path::tensor)
      return TensorBoxes<Tile>::boxes <= few_boxes;
    else
      return one_run;
  }
  // Whether threads may store to the tile while they issue asynchronous copies of it.
  static constexpr bool stores_at_issue =
      path == Path::cp_async && (config.any_alignment || config.edge == Edge::skip);

  // Storers, which a pipeline may have beside its loaders, say otherwise.
  static constexpr bool is_storer = false, stores_late = false, stores_alone = true;

  // Where a byte of a tile's row lies in its storage.
  static TILEPIPE_HD constexpr int offset(int row, int byte) {
    return Tile::Layout::offset(row, byte, Tile::rows, Tile::row_bytes);
  }
  // And a chunk: from step to step of a copy plan a constant distance away, where the layout has it
  // so.
  static TILEPIPE_HD constexpr int offset(const typename Plan::Chunk& chunk) {
    if (chunk.below % Tile::Layout::row_period != 0) return offset(chunk.row, chunk.start());
    return offset(chunk.top(), chunk.start()) + chunk.below * Tile::Layout::pitch(Tile::row_bytes);
  }

  // Chunks of a thread that stay in registers while another tile is computed: at most 128 bytes, at
  // most 32 registers.
  static constexpr int fragments = min_of(128 / width, 32);
  // Bytes of a tile that so travel with `threads` loading threads; what is beyond is copied at
  // once.
  static TILEPIPE_HD constexpr int fragment_bytes(int threads) {
    if (config.any_alignment) return 0;
    return min_of(fragments * width * threads, Tile::rows * Tile::row_bytes);
  }
  // Whether all of a tile does, and nothing is written to the stage before the store.
  template <int Threads>
  static constexpr bool stays_in_registers =
      path == Path::registers && !config.any_alignment && config.edge != Edge::skip &&
      Plan::steps(max_of(Threads, 1)) <= fragments && Threads > 0;
};

TILEPIPE_NAMESPACE_END
