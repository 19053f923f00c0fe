// SPDX-License-Identifier: Apache-2.0
// Sides of a row for the kernels that stage nothing.
#pragma once

#include "baseline/direct.cuh"
#include "kernel.hpp"

namespace bench {

// blocks_per_sm 0: as many blocks as cover the source.
template <int W, int Vectors, int Threads>
Side direct(int blocks_per_sm) {
  const std::string name = "direct, " + std::to_string(Vectors) + " float4 a step, " +
                           std::to_string(Threads) + " threads, " +
                           (blocks_per_sm ? std::to_string(blocks_per_sm) + " blocks/SM"
                                          : std::string("one step a thread"));
  return stream_side(name, W, [blocks_per_sm](const float* in, float* out) {
    constexpr long long step = static_cast<long long>(Vectors) * Threads * 4;
    const long long blocks = blocks_per_sm ? blocks_per_sm * device().multiprocessors
                                           : (StreamData::count + step - 1) / step;
    baseline::direct_grid_stride<W, Vectors, Threads>
        <<<static_cast<unsigned>(blocks), Threads>>>(in, out, StreamData::count);
  });
}

}  // namespace bench
