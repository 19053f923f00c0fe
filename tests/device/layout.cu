// SPDX-License-Identifier: Apache-2.0
// Sizes and offsets of the types in shared memory, as this pass of the compiler sees them. The same
// list is evaluated by the host pass: the two must agree for every architecture.
#include <tilepipe/tilepipe.cuh>

#include "special_kernels.hpp"
#include "support/swizzle_table.hpp"

namespace tilepipe_test {

struct LayoutStage {
  tilepipe::Tile<unsigned char, 3> tiny;
  tilepipe::SwizzledTile<unsigned short, 8, 64> swizzled128;
  tilepipe::SwizzledTile<unsigned short, 8, 32> swizzled64;
  tilepipe::SwizzledTile<unsigned short, 8, 16> swizzled32;
  tilepipe::PaddedTile<4, float, 5, 7> padded;
  tilepipe::Tile<double, 2, 3, 4> deep;
};
using LayoutPanels = tilepipe::SwizzledTile<float, 12, 64>;

// f(name, value) for each number.
#pragma nv_exec_check_disable
template <class F>
__host__ __device__ void each_number(F&& f) {
#define TILEPIPE_TEST_TYPE(...)                   \
  f("sizeof " #__VA_ARGS__, sizeof(__VA_ARGS__)); \
  f("alignof " #__VA_ARGS__, alignof(__VA_ARGS__));
  TILEPIPE_TEST_TYPE(LayoutStage)
  TILEPIPE_TEST_TYPE(LayoutPanels)
  TILEPIPE_TEST_TYPE(tilepipe::Ring<LayoutStage, 1>)
  TILEPIPE_TEST_TYPE(tilepipe::Ring<LayoutStage, 3, 2>)
  TILEPIPE_TEST_TYPE(tilepipe::Ring<LayoutStage, 16, 1>)
  TILEPIPE_TEST_TYPE(tilepipe::Ring<tilepipe::Tile<unsigned char, 1>, 5, 8>)
  TILEPIPE_TEST_TYPE(tilepipe::Source<float, 1>)
  TILEPIPE_TEST_TYPE(tilepipe::Source<float, 5>)
  TILEPIPE_TEST_TYPE(tilepipe::TensorMap)
  TILEPIPE_TEST_TYPE(tilepipe::TensorSource<LayoutPanels>)
#undef TILEPIPE_TEST_TYPE
  f("offset of tiny", __builtin_offsetof(LayoutStage, tiny));
  f("offset of swizzled128", __builtin_offsetof(LayoutStage, swizzled128));
  f("offset of swizzled64", __builtin_offsetof(LayoutStage, swizzled64));
  f("offset of swizzled32", __builtin_offsetof(LayoutStage, swizzled32));
  f("offset of padded", __builtin_offsetof(LayoutStage, padded));
  f("offset of deep", __builtin_offsetof(LayoutStage, deep));
  f("offset of view", __builtin_offsetof(tilepipe::TensorSource<LayoutPanels>, view));
  f("offset of mapped", __builtin_offsetof(tilepipe::TensorSource<LayoutPanels>, mapped));
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 16; c += 3) {
      f("swizzled128 element", decltype(LayoutStage::swizzled128)::byte_offset(r, c * 4));
      f("swizzled64 element", decltype(LayoutStage::swizzled64)::byte_offset(r, c * 2));
      f("swizzled32 element", decltype(LayoutStage::swizzled32)::byte_offset(r, c));
      f("panel element", LayoutPanels::byte_offset(r + 4, c * 4));
    }
}

struct LayoutWriter {
  long long* words;
  int next = 0;
  __host__ __device__ void operator()(const char*, long long value) { words[next++] = value; }
};
__global__ void report_layout(long long* words) {
  LayoutWriter write{words};
  each_number(write);
}

struct Collector {
  std::vector<long long> values;
  std::vector<std::string> names;
  void operator()(const char* name, long long value) {
    values.push_back(value);
    names.push_back(name);
  }
};

// Raw bytes of a stage after a tile was brought: where every element really lies.
template <class Tile>
__global__ void dump_stage(const unsigned short* in, unsigned char* out) {
  struct Only {
    Tile x;
  };
  __shared__ tilepipe::Ring<Only, 1> ring;
  tilepipe::TileLoader<Tile> load{in, Tile::rows, Tile::cols, Tile::cols};
  tilepipe::Pipeline pipe{ring, load};
  pipe.run(
      1, [&](Only& s, long long) { pipe.fill(load, s.x, 0, 0); },
      [&](const Only& s, long long) {
        const auto* raw = reinterpret_cast<const unsigned char*>(&s);
        for (int i = pipe.rank(); i < static_cast<int>(sizeof(Tile)); i += pipe.size())
          out[i] = raw[i];
      });
  pipe.close();
}
namespace {

template <class Tile>
void add(const std::string& name) {
  SpecialCase c;
  c.name = "dump/" + name;
  c.kernel = reinterpret_cast<const void*>(&dump_stage<Tile>);
  c.threads = 64;
  c.rows = Tile::rows;
  c.cols = Tile::cols;
  c.stages = sizeof(Tile);
  add_special_case(c);
}
const bool added = [] {
  add<decltype(LayoutStage::swizzled128)>("128");
  add<decltype(LayoutStage::swizzled64)>("64");
  add<decltype(LayoutStage::swizzled32)>("32");
  add<tilepipe::SwizzledTile<unsigned short, 16, 192>>("128-panels");
  return true;
}();

}  // namespace

std::vector<long long> host_layout() {
  Collector all;
  each_number(all);
  return all.values;
}
std::vector<std::string> layout_names() {
  Collector all;
  each_number(all);
  return all.names;
}
const void* layout_kernel() { return reinterpret_cast<const void*>(&report_layout); }

}  // namespace tilepipe_test
