// SPDX-License-Identifier: Apache-2.0
// Runs one kernel of a PTX file at many sizes and compares what it wrote with a loop on the host.
//
//   runner FILE.ptx KERNEL TILES LAUNCHES
// Exit status: 0 right, 1 wrong results, 3 the kernel failed (a trap or a bad address), 4 the file
// does not load, 5 the kernel does not end, 77 no GPU.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Word = unsigned;
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
constexpr std::size_t slack = 1 << 16;  // words of source that fills beyond the last tile may read
constexpr std::size_t flushed_bytes = 128u << 20;  // more than the L2 cache

// Of one launch, beside others on the same GPU; a right one takes milliseconds.
constexpr std::chrono::milliseconds longest_launch{1500};

enum Status { right = 0, wrong = 1, failed = 3, not_loaded = 4, hang = 5, skipped = 77 };

[[noreturn]] void finish(Status status, const std::string& what) {
  std::printf("%s\n", what.c_str());
  std::fflush(stdout);
  std::_Exit(status);
}
void require(cudaError_t error, const char* what, Status status = failed) {
  if (error != cudaSuccess) finish(status, std::string(what) + ": " + cudaGetErrorString(error));
}

// Returns when the device is idle. The process ends where a kernel does not.
void wait_for_device() {
  const auto begin = std::chrono::steady_clock::now();
  cudaError_t state = cudaErrorNotReady;
  while ((state = cudaStreamQuery(nullptr)) == cudaErrorNotReady)
    if (std::chrono::steady_clock::now() - begin > longest_launch)
      finish(hang, "the kernel does not end");
  require(state, "kernel");
}

Word value_at(long long i) {
  Word h = static_cast<Word>(i) * 0x9e3779b1u + 0x7f4a7c15u;
  h ^= h >> 15;
  return h * 0x85ebca77u | 1u;
}

Shape shape_of(const std::string& kernel) {
  Shape shape{};
  char kind[32] = {};
  const auto at = kernel.rfind("__t");
  if (at == std::string::npos ||
      std::sscanf(kernel.c_str() + at, "__t%du%de%d_%31s", &shape.threads, &shape.teams,
                  &shape.elements, kind) != 4)
    finish(not_loaded, "the kernel's name says no shape");
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
  // A matrix tile of 16 x 32 that sticks out of the source.
  const int row = team * 16 - 2 + turned / 32, col = t * 32 - 4 + turned % 32, pitch = tiles * 32;
  const bool inside = row >= 0 && row < blocks * 16 - 5 && col >= 0 && col < pitch - 6;
  if (inside) return 3 * value_at(1ll * row * pitch + col);
  checked = s.kind == "zero";
  return 0;
}

std::string compare(const Shape& s, int tiles, const std::vector<Word>& out) {
  const int teams = blocks * s.teams;
  const long long words = 1ll * teams * tiles * s.elements;
  for (int team = 0; team < teams; ++team)
    for (int t = 0; t < tiles; ++t)
      for (int i = 0; i < s.elements; ++i) {
        bool checked = false;
        const Word want = expected(s, tiles, team, t, i, words, checked);
        const Word is = out[(1ll * team * tiles + t) * s.elements + i];
        if (checked && is != want) {
          std::ostringstream what;
          what << "wrong: team " << team << ", tile " << t << " of " << tiles << ", element " << i
               << " is " << std::hex << is << ", not " << want;
          return what.str();
        }
      }
  return "";
}

void run(cudaKernel_t kernel, const Shape& shape, int tiles, unsigned launches) {
  const std::size_t words = std::size_t{1} * blocks * shape.teams * tiles * shape.elements;
  std::vector<Word> in(2 * words + slack), out(words + 1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = value_at(static_cast<long long>(i));
  Word *source = nullptr, *target = nullptr;
  unsigned char* flush = nullptr;
  require(cudaMalloc(&source, in.size() * sizeof(Word)), "cudaMalloc");
  require(cudaMalloc(&target, out.size() * sizeof(Word)), "cudaMalloc");
  require(cudaMalloc(&flush, flushed_bytes), "cudaMalloc");
  require(cudaMemcpy(source, in.data(), in.size() * sizeof(Word), cudaMemcpyHostToDevice), "copy");
  for (unsigned seed = 1; seed <= launches; ++seed) {
    require(cudaMemset(flush, static_cast<int>(seed), flushed_bytes), "flush");
    require(cudaMemset(target, 0x7e, out.size() * sizeof(Word)), "poison");
    Arguments arguments{source, source + words, target, tiles, seed};
    void* parameters[] = {&arguments};
    require(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                             dim3(shape.threads), parameters, 0, nullptr),
            "launch");
    wait_for_device();
    require(cudaMemcpy(out.data(), target, out.size() * sizeof(Word), cudaMemcpyDeviceToHost),
            "copy");
    const std::string what = compare(shape, tiles, out);
    if (!what.empty()) finish(wrong, what + ", seed " + std::to_string(seed));
  }
  cudaFree(source);
  cudaFree(target);
  cudaFree(flush);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) finish(not_loaded, "usage: runner FILE.ptx KERNEL TILES LAUNCHES");
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    finish(skipped, "skipped: no GPU");
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  const std::string ptx = text.str();
  cudaLibrary_t library{};
  cudaKernel_t kernel{};
  require(cudaLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          "load", not_loaded);
  require(cudaLibraryGetKernel(&kernel, library, argv[2]), "find the kernel", not_loaded);
  const Shape shape = shape_of(argv[2]);
  const int tiles = std::atoi(argv[3]);
  const auto launches = static_cast<unsigned>(std::atoi(argv[4]));
  for (int few : {0, 1, 2, 5})
    if (few < tiles) run(kernel, shape, few, few == 0 ? 1 : launches < 4 ? launches : 4);
  run(kernel, shape, tiles, launches);
  finish(right, "right");
}
