// SPDX-License-Identifier: Apache-2.0
// punica's kernel for one input size and one output size each.
#include "bgmv_punica.hpp"

#include <cassert>
#include <cstdint>

#include "bgmv/bgmv_impl.cuh"

namespace bench {
namespace {

template <int In, int Out>
bool launch(const BgmvProblem& p) {
  bgmv_kernel<In, Out>(static_cast<__half*>(p.y), static_cast<const __half*>(p.x),
                       static_cast<const __half*>(p.w), static_cast<const int64_t*>(p.adapter),
                       p.batch, p.layers, p.layer, p.scale);
  return true;
}

}  // namespace

bool punica_bgmv(const BgmvProblem& p) {
  if (p.in == 4096 && p.out == 16) return launch<4096, 16>(p);
  if (p.in == 4096 && p.out == 64) return launch<4096, 64>(p);
  if (p.in == 11008 && p.out == 16) return launch<11008, 16>(p);
  return false;
}

}  // namespace bench
