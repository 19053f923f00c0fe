// SPDX-License-Identifier: Apache-2.0
// Source text, compiled in the test and checked.
#include <tilepipe/check/compile.hpp>

#include "support/catch.hpp"

using namespace tilepipe::check;

namespace {

// Each block doubles its rows of 64 numbers; the last thread's value is left out without a barrier.
std::string source(bool barrier) {
  return std::string(R"(
#include <tilepipe/tilepipe.cuh>
extern "C" __global__ void twice(const float* in, float* out, int rows) {
  using Row = tilepipe::Tile<float, 64>;
  struct Stage { Row x; };
  __shared__ tilepipe::Ring<Stage, 2> ring;
  __shared__ float turned[64];
  tilepipe::TileLoader<Row> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<32>{}, load};
  pipe.run(rows, [&](Stage& s, int row) { pipe.fill(load, s.x, row * 64ll); },
           [&](const Stage& s, int row) {
             pipe.for_each(s.x, [&](int i, float v) { turned[63 - i] = 2 * v; });
)") + (barrier ? "__syncthreads();" : "") +
         R"(
             for (int i = threadIdx.x; i < 64; i += 32) out[row * 64 + i] = turned[i];
             __syncthreads();
           });
})";
}

Report check_rows(const Module& module, bool compare) {
  const Kernel kernel = module.kernel("twice");
  std::vector<float> in(5 * 64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 37);
  GlobalMemory memory;
  const Address from = memory.add(in), to = memory.add_output<float>(in.size());
  Launch launch(kernel, memory, {32});
  launch.arguments(from, to, 5);
  const Report report = run(launch, schedules(1));
  const std::vector<float> out = memory.read<float>(to);
  for (std::size_t i = 0; i < in.size() && compare; ++i)
    CHECK(out[i] == 2 * in[i / 64 * 64 + 63 - i % 64]);
  return report;
}

const std::vector<std::string> options{"-I" TILEPIPE_INCLUDE, "-I" CUDA_INCLUDE,
                                       "-I" CUDA_INCLUDE "/cccl"};

}  // namespace

TEST_CASE("source text is compiled and its kernel checked, for each architecture") {
  for (const int arch : {75, 80, 90}) {
    INFO("compute_" << arch);
    const Report right = check_rows(compile(source(true), arch, options), true);
    INFO(right.text());
    CHECK(right.clean());
    const Report wrong = check_rows(compile(source(false), arch, options), false);
    REQUIRE(wrong.has(Kind::race));
    CHECK(wrong.text().find("source.cu:") != std::string::npos);
  }
}

TEST_CASE("source that does not compile is refused with what the compiler says") {
  std::string said;
  try {
    compile("__global__ void k() { undeclared(); }", 80);
  } catch (const Unsupported& e) {
    said = e.what();
  }
  CHECK(said.find("undeclared") != std::string::npos);
  CHECK_THROWS_AS(compile("", 12, {}), Unsupported);
}
