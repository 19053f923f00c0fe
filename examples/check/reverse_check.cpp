// SPDX-License-Identifier: Apache-2.0
// A test of yours, without a GPU: the kernel is clean and right, for every fill of its ring.
#include <tilepipe/check/launch.hpp>

#include <cstdio>
#include <numeric>

namespace check = tilepipe::check;

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  const check::Kernel kernel = check::Module::from_file(argv[1]).kernel("reverse");
  for (int rows = 0; rows <= 13; ++rows) {
    std::vector<float> in(rows * 256u);
    std::iota(in.begin(), in.end(), 0.0f);
    check::GlobalMemory memory;
    const check::Address from = memory.add(in), to = memory.add_output<float>(in.size());

    check::Launch launch(kernel, memory, {64});
    launch.arguments(from, to, rows);
    const check::Report report = check::run(launch, check::schedules(5));
    std::printf("%d rows: %s\n%s", rows, report.clean() ? "clean" : "NOT CLEAN",
                report.text().c_str());
    if (!report.clean()) return 1;

    const std::vector<float> out = memory.read<float>(to);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (out[i] != in[i / 256 * 256 + 255 - i % 256]) return 1;
  }
  return 0;
} catch (const check::Unsupported& e) {
  std::printf("cannot be checked: %s\n", e.what());
  return 2;
}
