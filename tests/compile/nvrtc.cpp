// SPDX-License-Identifier: Apache-2.0
// Compiles all public device headers and a kernel with NVRTC. Usage: compile_nvrtc ARCH
// INCLUDE_DIR...
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

// No generic lambdas in device code under NVRTC: the bodies name their types. The second kernel's
// source has a tensor map; the third stores.
const char* const source = R"(
#include <tilepipe/tile_storer.cuh>
#include <tilepipe/tilepipe.cuh>

extern "C" __global__ void scale(const float* in, float* out, int tiles) {
  using Tile = tilepipe::Tile<float, 1024>;
  struct Stage { Tile x; };
  __shared__ tilepipe::Ring<Stage, 3> ring;

  tilepipe::TileLoader<Tile> load{in};
  tilepipe::Pipeline pipe{ring, load};
  auto at = [&](int t) { return (blockIdx.x + 1ll * t * gridDim.x) * 1024; };
  pipe.run(tiles,
      [&](Stage& s, int t) { pipe.fill(load, s.x, at(t)); },
      [&](const Stage& s, int t) { pipe.for_each(s.x, [&](int i, float v) { out[at(t) + i] = 2 * v; }); });
}

using Matrix = tilepipe::SwizzledTile<float, 2, 512>;
struct MatrixStage { Matrix x; };
extern "C" __global__ void sum(const __grid_constant__ tilepipe::TensorSource<Matrix> in, float* out, int tiles) {
  __shared__ tilepipe::Ring<MatrixStage, 2> ring;
  tilepipe::TileLoader<Matrix, tilepipe::Mapped, tilepipe::ZeroFill> load{in};
  tilepipe::Pipeline pipe{ring, load};
  pipe.run(tiles,
      [&](MatrixStage& s, int t) { pipe.fill(load, s.x, 2 * t, -1); },
      [&](const MatrixStage& s, int) { pipe.for_each(s.x, [&](int i, float v) { out[i] += v; }); });
}

using Vector = tilepipe::Tile<float, 1024>;
extern "C" __global__ void iota(float* out, int tiles) {
  __shared__ tilepipe::StoreRing<Vector, 2> ring;
  tilepipe::TileStorer<Vector> store{out};
  tilepipe::StorePipeline stores{ring, store};
  for (int t = 0; t < tiles; ++t) {
    Vector& slot = stores.acquire();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) slot[i] = 1024.f * t + i;
    stores.store(1024 * t);
  }
  stores.drain();
}
)";

int failed(nvrtcResult result, const char* what) {
  if (result == NVRTC_SUCCESS) return 0;
  std::printf("%s: %s\n", what, nvrtcGetErrorString(result));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::puts("usage: compile_nvrtc ARCH INCLUDE_DIR...");
    return 2;
  }
  std::vector<std::string> options{"--std=c++17",
                                   std::string("--gpu-architecture=compute_") + argv[1]};
  for (int i = 2; i < argc; ++i) options.push_back(std::string("--include-path=") + argv[i]);
  std::vector<const char*> pointers;
  for (const std::string& option : options) pointers.push_back(option.c_str());

  nvrtcProgram program = nullptr;
  if (failed(nvrtcCreateProgram(&program, source, "scale.cu", 0, nullptr, nullptr), "create"))
    return 1;
  const nvrtcResult result = nvrtcCompileProgram(program, int(pointers.size()), pointers.data());
  std::size_t size = 0;
  if (failed(nvrtcGetProgramLogSize(program, &size), "log size")) return 1;
  std::string log(size, '\0');
  if (failed(nvrtcGetProgramLog(program, log.data()), "log")) return 1;
  std::printf("%s\n", log.c_str());
  if (failed(result, "compile")) return 1;
  if (log.find("warning") != std::string::npos) {
    std::puts("warnings are errors here");
    return 1;
  }
  if (failed(nvrtcGetPTXSize(program, &size), "PTX size")) return 1;
  std::string ptx(size, '\0');
  if (failed(nvrtcGetPTX(program, ptx.data()), "PTX")) return 1;
  nvrtcDestroyProgram(&program);
  const bool has_kernel = ptx.find(".entry scale") != std::string::npos;
  std::printf("%zu bytes of PTX, kernel %s\n", ptx.size(), has_kernel ? "found" : "missing");
  return has_kernel ? 0 : 1;
}
