// SPDX-License-Identifier: Apache-2.0
// The rows against cuda::pipeline.
#include "pipeline_rows.hpp"

#include "tables.hpp"

namespace bench {

const std::vector<PipelineConfig>& pipeline_configs() {
  static const std::vector<PipelineConfig> all = {{1024, 2, 1}, {1024, 4, 1}, {4096, 2, 1},
                                                  {4096, 4, 2}, {1024, 2, 8}, {4096, 2, 2},
                                                  {4096, 3, 4}};
  return all;
}

void add_pipeline_rows(Rows& rows, const std::string& name) {
  struct Work {
    int w;
    Kernels ours;
    Kernels theirs;
  };
  const Work works[] = {{0, ours_w0(), pipelines_w0()},
                        {16, ours_w16(), pipelines_w16()},
                        {64, ours_w64(), pipelines_w64()},
                        {256, ours_w256(), pipelines_w256()}};
  for (const PipelineConfig& c : pipeline_configs()) {
    for (const Work& work : works) {
      const Grid grid = per_sm(c.blocks_per_sm);
      Row row{name,
              describe_tile(c.floats, c.stages) + ", 256 threads, " + describe(grid) + ", W" +
                  std::to_string(work.w),
              "GB/s",
              StreamData::gigabytes,
              "the better of cuda::pipeline thread and block scope",
              stream_sides(select(work.ours, c.floats, c.stages), grid),
              stream_sides(select(work.theirs, c.floats, c.stages, "cuda::pipeline"), grid)};
      Row apart = row;
      rows.add(std::move(row));
      apart.bench =
          name == "stream_cuda_pipeline" ? "stream_thread_private" : "stream_thread_private_80";
      apart.peer = "thread-private cuda::pipeline, no barrier";
      apart.peers = stream_sides(select(work.theirs, c.floats, c.stages, "thread-private"), grid);
      rows.add(std::move(apart));
    }
  }
}

}  // namespace bench
