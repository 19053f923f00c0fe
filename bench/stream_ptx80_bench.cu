// SPDX-License-Identifier: Apache-2.0
// The rows against cuda::pipeline once more, both built as compute_80 PTX alone.
#include "stream/pipeline_rows.hpp"

int main(int argc, char** argv) {
  bench::Rows rows;
  bench::add_pipeline_rows(rows, "stream_cuda_pipeline_80");
  return rows.run(argc, argv);
}
