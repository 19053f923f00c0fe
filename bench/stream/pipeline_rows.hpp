// SPDX-License-Identifier: Apache-2.0
// tilepipe against cuda::pipeline: seven configurations at four W, native and as compute_80 PTX.
#pragma once

#include <string>
#include <vector>

#include "support/measure.hpp"

namespace bench {

struct PipelineConfig {
  int floats;
  int stages;
  int blocks_per_sm;
};
const std::vector<PipelineConfig>& pipeline_configs();

// Rows of that name, whose peer is the better of thread and block scope; and, named
// stream_thread_private and without a bound, against threads that read back only what they copied.
void add_pipeline_rows(Rows& rows, const std::string& name);

}  // namespace bench
