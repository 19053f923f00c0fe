// SPDX-License-Identifier: Apache-2.0
// Runs one kernel of a PTX file in the checker, for some numbers of tiles: checker FILE.ptx KERNEL.
// Exit status: 0 clean and right, 1 not, and what was found, 2 refused.
#include <exception>
#include <iostream>

#include "../check/library_launch.hpp"

using namespace check_test;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const Kernel kernel = Module::from_file(argv[1]).kernel(argv[2]);
    for (const int tiles : {7, 2, 1, 0, 3, 4, 5, 9, 17})
      for (const Schedule& schedule : schedules(6)) {
        const Outcome outcome = launch_library_kernel(kernel, tiles, {schedule});
        if (outcome.report.clean() && outcome.wrong.empty()) continue;
        std::cout << (outcome.report.clean() ? outcome.wrong : outcome.report.text()) << "\n";
        return 1;
      }
  } catch (const std::exception& error) {
    std::cout << error.what() << "\n";
    return 2;
  }
  return 0;
}
