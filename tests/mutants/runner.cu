// SPDX-License-Identifier: Apache-2.0
// Runs a kernel of a PTX file at many sizes and compares what it wrote with a loop on the host.
//
//   runner FILE.ptx KERNEL TILES LAUNCHES
//   runner [SECONDS FILE]     the same four words on each line of the input, or of FILE; a kernel
//                             may take so many seconds, else three
// Each kernel is answered by a line: a status, and what was seen. 0 right, 1 wrong results, 2 a
// thread gave up a wait (run_gpu.py makes them do that, and set tilepipe_gave_up), 3 the kernel
// failed (a trap or a bad address), 4 the file does not load, 5 the kernel does not end, 77 no GPU.
// After 3, 5 and 77 the process ends, since its context is lost. The exit status is the last
// line's.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <tilepipe/core/tile.hpp>
#include <tilepipe/host/tensor_map.hpp>
#include <vector>

#include "../support/device_compare.cuh"

namespace {

using Word = unsigned;
using Matrix = tilepipe::Tile<Word, 16, 32>;
struct Arguments {
  const Word* in;
  const Word* in2;
  Word* out;
  int tiles;
  unsigned seed;
};
struct Shape {
  int threads, teams, elements;
  std::string kind;
};
constexpr int blocks = 4;
constexpr int cut_cols = 30;  // of rows of 32 that are stored
constexpr Word untouched = 0x7e7e7e7eu;
constexpr std::size_t slack = 1 << 16;  // words of source that fills beyond the last tile may read
constexpr std::size_t flushed_bytes = 128u << 20;  // more than the L2 cache

// Between two looks at the device, beside others on the same GPU; a right launch takes
// microseconds.
std::chrono::seconds longest_wait{3};
// Launches between two looks: few, since those in which threads give up take long.
constexpr unsigned looked_at = 4, looked_at_of_many = 50, many = 100;

enum Status {
  right = 0,
  wrong = 1,
  gave_up = 2,
  failed = 3,
  not_loaded = 4,
  hang = 5,
  skipped = 77
};

struct Outcome {
  Status status;
  std::string what;
};
void say(const Outcome& outcome) {
  std::printf("%d %s\n", outcome.status, outcome.what.c_str());
  std::fflush(stdout);
}
[[noreturn]] void finish(Status status, const std::string& what) {
  say({status, what});
  std::_Exit(status);
}
void require(cudaError_t error, const char* what) {
  if (error != cudaSuccess) finish(failed, std::string(what) + ": " + cudaGetErrorString(error));
}

// Returns when the device is idle. The process ends where a kernel does not.
void wait_for_device() {
  const auto begin = std::chrono::steady_clock::now();
  cudaError_t state = cudaErrorNotReady;
  while ((state = cudaStreamQuery(nullptr)) == cudaErrorNotReady)
    if (std::chrono::steady_clock::now() - begin > longest_wait)
      finish(hang, "the kernel does not end");
  require(state, "kernel");
}

Word value_at(long long i) {
  Word h = static_cast<Word>(i) * 0x9e3779b1u + 0x7f4a7c15u;
  h ^= h >> 15;
  return h * 0x85ebca77u | 1u;
}

// No threads if the kernel's name says no shape.
Shape shape_of(const std::string& kernel) {
  Shape shape{};
  char kind[32] = {};
  const auto at = kernel.rfind("__t");
  if (at == std::string::npos ||
      std::sscanf(kernel.c_str() + at, "__t%du%de%d_%31s", &shape.threads, &shape.teams,
                  &shape.elements, kind) != 4)
    return {};
  shape.kind = kind;
  return shape;
}

// What the kernel writes for element i of tile t of a team; `checked` is false where it may be
// anything.
Word expected(const Shape& s, int tiles, int team, int t, int i, long long words, bool& checked) {
  const int turned = (i + s.elements / 3) % s.elements;
  checked = true;
  const long long dense = (1ll * team * tiles + t) * s.elements + turned;
  if (s.kind == "exact") return 3 * value_at(dense);
  if (s.kind == "pair") return 3 * value_at(dense) + value_at(words + dense);
  if (s.kind == "empty") return 0;  // tiles of an empty source
  if (s.kind == "cut") return i % 32 < cut_cols ? 3 * value_at(dense) : untouched;
  // A matrix tile of 16 x 32 that sticks out of the source.
  const int row = team * 16 - 2 + turned / 32, col = t * 32 - 4 + turned % 32, pitch = tiles * 32;
  const bool inside = row >= 0 && row < blocks * 16 - 5 && col >= 0 && col < pitch - 6;
  if (inside) return 3 * value_at(1ll * row * pitch + col);
  checked = s.kind == "zero";
  return 0;
}

// What the kernel must write, and which words of it; the last one is behind the output.
void expect(const Shape& s, int tiles, std::vector<Word>& wanted,
            std::vector<unsigned char>& checked) {
  const int teams = blocks * s.teams;
  const long long words = 1ll * teams * tiles * s.elements;
  wanted.assign(static_cast<std::size_t>(words) + 1, untouched);
  checked.assign(wanted.size(), 1);
  std::size_t at = 0;
  for (int team = 0; team < teams; ++team)
    for (int t = 0; t < tiles; ++t)
      for (int i = 0; i < s.elements; ++i, ++at) {
        bool known = false;
        wanted[at] = expected(s, tiles, team, t, i, words, known);
        checked[at] = known;
      }
}

std::string described(const Shape& s, int tiles, const test_support::Difference& found) {
  std::ostringstream what;
  const long long tile = found.element / s.elements;
  if (tile >= 1ll * blocks * s.teams * tiles) return "wrong: written behind the output";
  what << "wrong: team " << tile / tiles << ", tile " << tile % tiles << " of " << tiles
       << ", element " << found.element % s.elements << " is " << std::hex << found.is << ", not "
       << found.wanted << std::dec << ", seed " << found.launch;
  return what.str();
}

// The view with its tensor map, of a tile's source or destination.
tilepipe::TensorSource<Matrix> mapped(const Word* data, long long rows, int cols, int pitch) {
  return tilepipe::host::tensor_source<Matrix>(
      tilepipe::Source<Word, 2>::pitched(data, rows, cols, pitch));
}

// What the source of kernels with tensor maps is: edges() of kernels.cuh, dense rows, or empty.
tilepipe::TensorSource<Matrix> mapped_source(const Shape& shape, const Word* data, int tiles,
                                             std::size_t words) {
  if (shape.kind == "empty") return mapped(data, 0, 32, 32);
  if (shape.kind == "zero")
    return mapped(data, tiles > 0 ? blocks * 16 - 5 : 0, tiles * 32 - 6, tiles * 32);
  return mapped(data, static_cast<long long>(words / 32), 32, 32);
}

// Device memory that is kept from kernel to kernel, and grows.
class Buffer {
 public:
  Word* of(std::size_t words) {
    if (words > size_) {
      require(cudaFree(data_), "cudaFree");
      require(cudaMalloc(&data_, words * sizeof(Word)), "cudaMalloc");
      size_ = words;
    }
    return data_;
  }

 private:
  Word* data_ = nullptr;
  std::size_t size_ = 0;
};

// Whether a thread of the library's kernels has given up a wait.
bool has_given_up(cudaLibrary_t library) {
  void* at = nullptr;
  std::size_t bytes = 0;
  if (cudaLibraryGetGlobal(&at, &bytes, library, "tilepipe_gave_up") != cudaSuccess) {
    cudaGetLastError();  // the PTX is as it was
    return false;
  }
  Word flag = 0;
  require(cudaMemcpy(&flag, at, sizeof flag, cudaMemcpyDeviceToHost), "copy");
  return flag != 0;
}

Outcome run_size(cudaLibrary_t library, cudaKernel_t kernel, const Shape& shape, int tiles,
                 unsigned launches) {
  static Buffer sources, targets, flushed;
  static std::vector<Word> in, wanted;
  static std::vector<unsigned char> checked;
  static test_support::DeviceCompare compare(require);
  const std::size_t words = std::size_t{1} * blocks * shape.teams * tiles * shape.elements;
  const std::size_t read = 2 * words + slack, written = (words + 1) * sizeof(Word);
  for (std::size_t i = in.size(); i < read; ++i) in.push_back(value_at(static_cast<long long>(i)));
  Word* source = sources.of(read);
  Word* target = targets.of(words + 1);
  Word* flush = flushed.of(flushed_bytes / sizeof(Word));
  require(cudaMemcpy(source, in.data(), read * sizeof(Word), cudaMemcpyHostToDevice), "copy");
  expect(shape, tiles, wanted, checked);
  compare.expect(wanted, checked);
  const auto from = mapped_source(shape, source, tiles, words);
  const auto to =
      mapped(target, static_cast<long long>(words / 32), shape.kind == "cut" ? cut_cols : 32, 32);
  for (unsigned seed = 1; seed <= launches; ++seed) {
    require(cudaMemsetAsync(flush, static_cast<int>(seed), flushed_bytes), "flush");
    require(cudaMemsetAsync(target, 0x7e, written), "poison");
    Arguments arguments{source, source + words, target, tiles, seed};
    const void* parameters[] = {&arguments, &from, &to};  // a kernel takes one or all
    require(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                             dim3(shape.threads), const_cast<void**>(parameters), 0, nullptr),
            "launch");
    compare.compare(target, seed);
    if (seed % (launches > many ? looked_at_of_many : looked_at) != 0 && seed != launches) continue;
    wait_for_device();
    if (has_given_up(library)) return {gave_up, "a wait does not end"};
  }
  const test_support::Difference found = compare.found();
  return found.number == 0 ? Outcome{right, "right"}
                           : Outcome{wrong, described(shape, tiles, found)};
}

Outcome run(const std::string& path, const std::string& name, int tiles, unsigned launches) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const std::string ptx = text.str();
  const Shape shape = shape_of(name);
  if (shape.threads == 0) return {not_loaded, "the kernel's name says no shape"};
  cudaLibrary_t library{};
  cudaKernel_t kernel{};
  cudaError_t error =
      cudaLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (error != cudaSuccess) return {not_loaded, cudaGetErrorString(error)};
  error = cudaLibraryGetKernel(&kernel, library, name.c_str());
  Outcome outcome{right, "right"};
  if (error != cudaSuccess) outcome = {not_loaded, cudaGetErrorString(error)};
  for (int few : {0, 1, 2, 5})
    if (few < tiles && outcome.status == right)
      outcome = run_size(library, kernel, shape, few, few == 0 ? 1 : launches < 4 ? launches : 4);
  if (outcome.status == right) outcome = run_size(library, kernel, shape, tiles, launches);
  require(cudaLibraryUnload(library), "unload");
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1 && argc != 3 && argc != 5)
    finish(not_loaded, "usage: runner [SECONDS FILE | FILE.ptx KERNEL TILES LAUNCHES]");
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    finish(skipped, "skipped: no GPU");
  std::stringstream once;
  if (argc == 5)
    for (int i = 1; i < argc; ++i) once << argv[i] << ' ';
  if (argc == 3) {
    longest_wait = std::chrono::seconds(std::atoi(argv[1]));
    once << std::ifstream(argv[2]).rdbuf();
  }
  std::istream& jobs = argc == 1 ? std::cin : once;
  Outcome outcome{right, "right"};
  std::string path, name;
  unsigned tiles = 0, launches = 0;
  while (jobs >> path >> name >> tiles >> launches) {
    outcome = run(path, name, static_cast<int>(tiles), launches);
    say(outcome);
  }
  return outcome.status;
}
