// SPDX-License-Identifier: Apache-2.0
// Runs part of a test in a process of its own: a trap in a kernel kills the process's whole CUDA
// context.
#pragma once
#include <string>

namespace tilepipe_test {

struct ChildResult {
  int exit_code = -1;      // 128 + signal if a signal ended it
  bool timed_out = false;  // it was killed
  std::string output;      // stdout and stderr
};

// A body that `run_child` can name; define objects of this type at namespace scope.
struct ChildBody {
  ChildBody(const char* name, int (*body)());
};

// Starts this executable again, so that it runs only the body of this name.
ChildResult run_child(const std::string& name, double seconds = 60);

// For main: runs the body that the command line names and says with which exit code to leave; -1 if
// it names none.
int child_main(int argc, char** argv);

}  // namespace tilepipe_test
