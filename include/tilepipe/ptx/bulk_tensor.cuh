// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.tensor, global to shared, and the prefetch of a tensor map (sm_90). PTX ISA, "Data
// Movement and Conversion Instructions: cp.async.bulk.tensor, prefetch".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// tensor_load: the box of `map` whose first element has the coordinates `at` (fastest dimension
// first; in elements of the map, and with a sign) to the shared address dst, a multiple of 128.
// What is outside the tensor arrives as the map's fill. The bytes of the whole box count on the
// mbarrier at bar, whose completion makes them visible to those who wait there. map: 128 bytes,
// aligned to 64, in a kernel's __grid_constant__ parameter, constant or global memory. Hinted: by
// an L2 cache policy. By one thread.

// The .shared::cta destination came with PTX 8.6; in a kernel without clusters the older form means
// the same.
#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 8)
#define TILEPIPE_TENSOR_TO ".shared::cta"
#else
#define TILEPIPE_TENSOR_TO ".shared::cluster"
#endif
// Coordinates: their operands' numbers as text, and the operands.
#define TILEPIPE_TENSOR_LOAD(dims, numbers, policy_number, ...)                                  \
  if constexpr (Hinted)                                                                          \
    asm volatile("cp.async.bulk.tensor." dims TILEPIPE_TENSOR_TO                                 \
                 ".global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {" numbers \
                 "}], [%2], " policy_number ";" ::"r"(dst),                                      \
                 "l"(map), "r"(bar), __VA_ARGS__, "l"(policy)                                    \
                 : "memory");                                                                    \
  else                                                                                           \
    asm volatile("cp.async.bulk.tensor." dims TILEPIPE_TENSOR_TO                                 \
                 ".global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" numbers                \
                 "}], [%2];" ::"r"(dst),                                                         \
                 "l"(map), "r"(bar), __VA_ARGS__                                                 \
                 : "memory")

template <bool Hinted = false>
TILEPIPE_D void tensor_load(unsigned dst, const void* map, unsigned bar, const int (&at)[1],
                            [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_LOAD("1d", "%3", "%4", "r"(at[0]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_load(unsigned dst, const void* map, unsigned bar, const int (&at)[2],
                            [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_LOAD("2d", "%3, %4", "%5", "r"(at[0]), "r"(at[1]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_load(unsigned dst, const void* map, unsigned bar, const int (&at)[3],
                            [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_LOAD("3d", "%3, %4, %5", "%6", "r"(at[0]), "r"(at[1]), "r"(at[2]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_load(unsigned dst, const void* map, unsigned bar, const int (&at)[4],
                            [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_LOAD("4d", "%3, %4, %5, %6", "%7", "r"(at[0]), "r"(at[1]), "r"(at[2]),
                       "r"(at[3]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_load(unsigned dst, const void* map, unsigned bar, const int (&at)[5],
                            [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_LOAD("5d", "%3, %4, %5, %6, %7", "%8", "r"(at[0]), "r"(at[1]), "r"(at[2]),
                       "r"(at[3]), "r"(at[4]));
}
#undef TILEPIPE_TENSOR_LOAD
#undef TILEPIPE_TENSOR_TO

// Fetches the map ahead of the first copy that reads it. By one thread.
TILEPIPE_D void prefetch_tensor_map(const void* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
