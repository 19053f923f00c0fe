// SPDX-License-Identifier: Apache-2.0
// Child processes by fork and exec of the same executable, with output read to its end and a time
// limit.
#include "child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>

namespace tilepipe_test {
namespace {

constexpr const char* option = "--child";

std::map<std::string, int (*)()>& bodies() {
  static std::map<std::string, int (*)()> all;
  return all;
}

}  // namespace

ChildBody::ChildBody(const char* name, int (*body)()) { bodies()[name] = body; }

int child_main(int argc, char** argv) {
  if (argc != 3 || std::strcmp(argv[1], option) != 0) return -1;
  const auto found = bodies().find(argv[2]);
  if (found == bodies().end()) {
    std::printf("no child body \"%s\"\n", argv[2]);
    return 2;
  }
  const int code = found->second();
  std::fflush(nullptr);
  return code;
}

ChildResult run_child(const std::string& name, double seconds) {
  ChildResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  const pid_t child = fork();
  if (child < 0) return result;
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execl("/proc/self/exe", "device_test", option, name.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);

  using Clock = std::chrono::steady_clock;
  const Clock::time_point end =
      Clock::now() + std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
  for (;;) {
    const long long left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waiting{ends[0], POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) <= 0) {
      result.timed_out = true;
      kill(child, SIGKILL);
      break;
    }
    char text[4096];
    const ssize_t got = read(ends[0], text, sizeof text);
    if (got <= 0) break;
    result.output.append(text, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace tilepipe_test
