// SPDX-License-Identifier: Apache-2.0
// tilepipe-check: runs one block of a kernel's PTX on the CPU, and reports races and deadlocks.
#include <tilepipe/check/launch.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace tilepipe::check;

const char* const usage = R"(tilepipe-check FILE.ptx                              lists the kernels
tilepipe-check FILE.ptx KERNEL [OPTION]... [ARGUMENT]...

Arguments, in the kernel's order:
  f32:COUNT i32:COUNT u8:COUNT   a buffer of COUNT elements with data whose value says its place
  out:BYTES                      a buffer whose bytes are all ones
  int=N  long=N  float=X         a number of 4, 8 or 4 bytes
Options:
  --block X[,Y[,Z]]  threads (128)     --grid X[,Y[,Z]]  blocks that the kernel is told of (1)
  --index X[,Y[,Z]]  which block (0)   --shared BYTES    dynamic shared memory (0)
  --seeds N          random schedules beside the two fixed ones (20)
  --search N         instead, every order of steps that makes a difference, up to N
  --replay NAME      only the schedule that a finding names
  --lint             also say where a bulk copy follows reads without a proxy fence
Exit status: 0 clean, 1 findings, 2 the PTX or the command line cannot be checked.
)";

Dim3 dim3_of(const std::string& text, std::uint32_t rest) {
  Dim3 d{rest, rest, rest};
  std::uint32_t* parts[] = {&d.x, &d.y, &d.z};
  std::size_t begin = 0;
  for (std::uint32_t* part : parts) {
    if (begin > text.size()) break;
    *part = static_cast<std::uint32_t>(std::strtoul(text.c_str() + begin, nullptr, 10));
    const std::size_t comma = text.find(',', begin);
    if (comma == std::string::npos) break;
    begin = comma + 1;
  }
  return d;
}

template <class T>
Address add_numbered(GlobalMemory& memory, std::size_t count) {
  std::vector<T> data(count);
  for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<T>(i % 1021);
  return memory.add(data);
}

// The bytes of one argument.
std::vector<unsigned char> argument(GlobalMemory& memory, const std::string& text) {
  const auto bytes = [](auto value) {
    std::vector<unsigned char> all(sizeof(value));
    std::memcpy(all.data(), &value, sizeof(value));
    return all;
  };
  const std::size_t at = text.find_first_of(":=");
  if (at == std::string::npos) throw Unsupported("the argument '" + text + "'");
  const std::string kind = text.substr(0, at + 1), number = text.substr(at + 1);
  const auto count = static_cast<std::size_t>(std::strtoull(number.c_str(), nullptr, 0));
  if (kind == "f32:") return bytes(add_numbered<float>(memory, count));
  if (kind == "i32:") return bytes(add_numbered<std::int32_t>(memory, count));
  if (kind == "u8:") return bytes(add_numbered<std::uint8_t>(memory, count));
  if (kind == "out:") return bytes(memory.add_output<std::uint8_t>(count));
  if (kind == "int=") return bytes(static_cast<std::int32_t>(std::atoi(number.c_str())));
  if (kind == "long=") return bytes(static_cast<std::int64_t>(std::atoll(number.c_str())));
  if (kind == "float=") return bytes(std::strtof(number.c_str(), nullptr));
  throw Unsupported("the argument '" + text + "'");
}

int check(const std::vector<std::string>& words) {
  const Module module = Module::from_file(words.at(0));
  if (words.size() == 1) {
    for (const std::string& name : module.names()) std::printf("%s\n", name.c_str());
    return 0;
  }
  const Kernel kernel = module.kernel(words[1]);
  GlobalMemory memory;
  Launch launch(kernel, memory, {128});
  int seeds = 20;
  std::uint64_t orders = 0;
  std::string replay;
  std::size_t given = 0;
  launch.parameters.assign(kernel.parameter_bytes, 0);
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--lint") {
      launch.lint_reuse = true;
    } else if (word.rfind("--", 0) == 0) {
      if (i + 1 == words.size()) throw Unsupported(word + " without a value");
      const std::string& value = words[++i];
      if (word == "--block")
        launch.block = dim3_of(value, 1);
      else if (word == "--grid")
        launch.grid = dim3_of(value, 1);
      else if (word == "--index")
        launch.index = dim3_of(value, 0);
      else if (word == "--shared")
        launch.dynamic_shared = dim3_of(value, 0).x;
      else if (word == "--seeds")
        seeds = std::atoi(value.c_str());
      else if (word == "--search")
        orders = std::strtoull(value.c_str(), nullptr, 10);
      else if (word == "--replay")
        replay = value;
      else
        throw Unsupported("the option " + word);
    } else {
      const std::vector<unsigned char> bytes = argument(memory, word);
      if (given == kernel.parameters.size()) throw Unsupported("too many arguments");
      const auto& parameter = kernel.parameters[given++];
      if (parameter.bytes != bytes.size())
        throw Unsupported("the size of '" + word + "': the parameter has " +
                          std::to_string(parameter.bytes) + " bytes");
      std::memcpy(launch.parameters.data() + parameter.at, bytes.data(), bytes.size());
    }
  }
  if (given != kernel.parameters.size()) throw Unsupported("too few arguments");
  const Report report =
      orders != 0 ? search(launch, orders)
                  : run(launch, replay.empty() ? schedules(seeds)
                                               : std::vector<Schedule>{Schedule::named(replay)});
  std::size_t reached = 0;
  for (const unsigned char r : report.reached) reached += r;
  std::printf("%s", report.text().c_str());
  std::printf("%s: %zu findings in %llu schedules%s; %zu of %zu instructions were reached\n",
              kernel.name.c_str(), report.findings.size(),
              static_cast<unsigned long long>(report.schedules),
              report.complete ? ", all that make a difference" : "", reached,
              report.reached.size());
  return report.clean() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "--help") {
    std::printf("%s", usage);
    return words.empty() ? 2 : 0;
  }
  try {
    return check(words);
  } catch (const Unsupported& e) {
    std::fprintf(stderr, "tilepipe-check: %s\n", e.what());
    return 2;
  }
}
