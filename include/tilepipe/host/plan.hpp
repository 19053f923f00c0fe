// SPDX-License-Identifier: Apache-2.0
// The path report: for loaders and architectures, what travels how and why, and what fits a
// multiprocessor.
#pragma once

#include <string>
#include <vector>

#include "../core/completion.hpp"
#include "../core/loader_traits.hpp"
#include "../core/shared_memory.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace host {

inline const char* name_of(Path p) {
  switch (p) {
    case Path::automatic:
      return "automatic";
    case Path::registers:
      return "registers";
    case Path::cp_async:
      return "cp.async";
    case Path::bulk:
      return "cp.async.bulk";
    case Path::tensor:
      return "cp.async.bulk.tensor";
    case Path::libcudacxx:
      return "libcu++";
  }
  return "";
}
inline const char* name_of(Completion c) {
  switch (c) {
    case Completion::automatic:
      return "automatic";
    case Completion::groups:
      return "groups";
    case Completion::mbarrier:
      return "mbarrier";
    case Completion::named_barrier:
      return "named barriers";
    case Completion::foreign:
      return "libcu++'s own";
  }
  return "";
}

// One loader of a pipeline.
struct LoaderPlan {
  std::string name;     // as the report prints it
  TileShape shape;      // of the tile: rows, bytes of a row, layout
  LoaderConfig config;  // its options
};
// Loader: TileLoader, or LoaderTraits with the same arguments where no CUDA compiler is there.
template <class Loader>
LoaderPlan plan_of(std::string name) {
  return {std::move(name), Loader::shape, Loader::config};
}

// One pipeline. loading_threads: those that issue copies, in Specialized the producers.
struct PipelinePlan {
  TeamKind team = TeamKind::block;              // who shares the stages
  int block_threads = 256;                      // of the launch, 1 to 1024
  int loading_threads = 256;                    // of the team
  int stages = 1;                               // 1 to 16
  int first_barrier = 1;                        // roles below 8.0: Specialized's
  int group_barriers = 1;                       // named ones of groups of computing threads
  int parts = 1;                                // of a stage, 1 to 8
  index_t stage_bytes = 0;                      // sizeof(Stage)
  int stage_alignment = 16;                     // alignof(Stage), bytes
  index_t other_bytes = 0;                      // of shared memory, beside the ring
  Completion demanded = Completion::automatic;  // by the kernel's policy
  std::vector<LoaderPlan> loaders;              // one for each tile of the stage
};

inline PathSet paths_on(int arch, const PipelinePlan& pipe) {
  PathSet paths;
  for (const LoaderPlan& loader : pipe.loaders)
    paths.add(choose_path(arch, loader.shape, loader.config, pipe.team, pipe.demanded).path);
  return paths;
}

// How the register path moves a tile: bytes of one thread that travel while the tile before is
// computed, at most 128 and at most 32 registers; and bytes that are copied at once.
struct RegisterTravel {
  int in_flight = 0;  // bytes of the thread that has most
  int at_once = 0;    // bytes beyond, of the same thread
};
inline RegisterTravel register_travel(const LoaderPlan& loader, int threads) {
  const int width = promised_alignment(loader.shape, loader.config);
  const int chunks = loader.shape.rows * loader.shape.row_bytes / width;
  const int of_thread = ceil_div(chunks, threads);  // of the thread that has most
  const int kept = loader.config.any_alignment ? 0 : min_of(of_thread, min_of(128 / width, 32));
  return {kept * width, (of_thread - kept) * width};
}

inline std::string text(index_t n) { return std::to_string(n); }

inline std::string report_loader(int arch, const LoaderPlan& loader, const PipelinePlan& pipe) {
  const Choice choice = choose_path(arch, loader.shape, loader.config, pipe.team, pipe.demanded);
  const PathRefusal refusal = refuse_path(arch, choice.path, loader.shape, loader.config);
  std::string out = "    " + loader.name + ": ";
  if (refusal != PathRefusal::none) return out + "refused: " + sentence(refusal) + "\n";
  out += std::string(name_of(choice.path)) + ", ";
  out += (loader.config.any_alignment ? "1 to 16" : text(choice.width)) + " B: ";
  out += std::string(choice.reason) + "\n";
  if (choice.path != Path::registers) return out;
  const RegisterTravel travel = register_travel(loader, pipe.loading_threads);
  if (travel.in_flight == 0)
    return out + "      copied at once: no tile is in flight while another is computed\n";
  out += "      one tile in flight whatever Stages is: " + text(travel.in_flight) +
         " B of each thread in registers";
  if (travel.at_once > 0) out += ", " + text(travel.at_once) + " B copied at once";
  return out + "\n";
}

// What a pipeline does on an architecture, as text; every line ends with a newline.
inline std::string report(int arch, const PipelinePlan& pipe) {
  std::string out = "  sm_" + text(arch) + ":\n";
  for (const LoaderPlan& loader : pipe.loaders) out += report_loader(arch, loader, pipe);
  const PathSet paths = paths_on(arch, pipe);
  const CompletionChoice chosen =
      choose_completion(arch, pipe.team, pipe.stages, paths, pipe.demanded);
  const PipelineRefusal refusal =
      refuse_pipeline(arch, pipe.team, pipe.stages, pipe.parts, paths, chosen.completion,
                      pipe.first_barrier, pipe.group_barriers);
  if (refusal != PipelineRefusal::none)
    out += std::string("    refused: ") + sentence(refusal) + "\n";
  else
    out +=
        std::string("    completion: ") + name_of(chosen.completion) + ": " + chosen.reason + "\n";
  const index_t ring = ring_bytes(pipe.stage_bytes, pipe.stage_alignment, pipe.stages, pipe.parts);
  const int blocks = blocks_that_fit(arch, pipe.block_threads, ring + pipe.other_bytes);
  out += "    ring: " + text(ring) + " B, " + text(pipe.stages) + " stages; ";
  out += blocks == 0
             ? "does not fit: a block has at most " + text(arch_traits(arch).smem_per_block) + " B"
             : text(blocks) + (blocks == 1 ? " block fits an SM" : " blocks fit an SM");
  out += ring + pipe.other_bytes > static_smem_bytes && blocks > 0 ? ", in dynamic shared memory\n"
                                                                   : "\n";
  out += "    stages that fit:";
  for (int n = 1; n <= 4; n *= 2)
    out += std::string(n == 1 ? " " : ", ") +
           text(stages_that_fit(arch, n, pipe.block_threads, pipe.stage_bytes, pipe.stage_alignment,
                                pipe.parts, pipe.other_bytes)) +
           " with " + text(n) + (n == 1 ? " block" : " blocks") + " an SM";
  return out + "\n";
}

inline std::string report(const PipelinePlan& pipe,
                          const std::vector<int>& archs = {75, 80, 90, 120}) {
  std::string out;
  for (const int arch : archs) out += report(arch, pipe);
  return out;
}

// The plan of a pipeline by its types: Ring, Team, and the loaders, named in the order of their
// types. block_threads: of the launch; where the team knows its threads, those load.
template <class Ring, class Team, class... Loaders, class... Names>
PipelinePlan plan_pipeline(int block_threads, Names... names) {
  static_assert(sizeof...(Names) == sizeof...(Loaders),
                "tilepipe::host::plan_pipeline<Ring, Team, Loaders...>(block_threads, names...): "
                "give each loader a name");
  PipelinePlan pipe;
  pipe.team = Team::kind;
  pipe.block_threads = block_threads;
  pipe.loading_threads = Team::loading_threads > 0 ? Team::loading_threads : block_threads;
  pipe.stages = Ring::stages;
  pipe.parts = Ring::parts;
  pipe.first_barrier = Team::first_barrier;
  pipe.group_barriers = Team::group_barriers;
  pipe.stage_bytes = sizeof(typename Ring::Stage);
  pipe.stage_alignment = alignof(typename Ring::Stage);
  pipe.loaders = {plan_of<Loaders>(names)...};
  return pipe;
}

}  // namespace host
TILEPIPE_NAMESPACE_END
