// SPDX-License-Identifier: Apache-2.0
// The curve over W: tilepipe, synchronous copies, nothing staged.
#include "baseline/stream_synchronous.cuh"
#include "stream/direct.cuh"
#include "stream/ours.cuh"
#include "stream/tables.hpp"

namespace bench {
namespace {

template <int W>
CurvePoint point() {
  using tilepipe::Block;
  using tilepipe::Specialized;
  CurvePoint p{W, {}, {}, {}};
  p.ours = {ours<W, 4096, 4, Block<256>, Groups, Via<Path::cp_async>>(
                "cp_async, groups, Block<256>", 256),
            ours<W, 4096, 4, Block<256>, Automatic>("bulk, mbarrier, Block<256>", 256),
            ours<W, 4096, 4, Specialized<32, 256>, Automatic>(
                "bulk, mbarrier, Specialized<32, 256>", 288)};
  p.synchronous = {kernel(baseline::stream_synchronous<W, 4096, 4, 256>, "synchronous copy", W,
                          4096, 4, 256, 4 * 4096 * sizeof(float)),
                   kernel(baseline::stream_classic<W, 4096, 256>, "load, barrier, compute, barrier",
                          W, 4096, 4, 256, 0)};
  p.direct = {direct<W, 1, 256>(0), direct<W, 1, 256>(8), direct<W, 4, 256>(0)};
  return p;
}

}  // namespace

std::vector<CurvePoint> curve() {
  return {point<0>(),  point<8>(),   point<16>(),  point<32>(), point<64>(),
          point<96>(), point<128>(), point<192>(), point<256>()};
}

}  // namespace bench
