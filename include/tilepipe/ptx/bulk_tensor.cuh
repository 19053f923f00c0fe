// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.tensor, global to shared and back, and the prefetch of a tensor map (sm_90). PTX
// ISA, "Data Movement and Conversion Instructions: cp.async.bulk.tensor, prefetch".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// tensor_load: the box of `map` whose first element has the coordinates x, y, ... (x the fastest
// dimension; in elements of the map, and with a sign) to the shared address dst, a multiple of 128.
// What is outside the tensor arrives as the map's fill. The bytes of the whole box count on the
// mbarrier at bar, whose completion makes them visible to those who wait there. map: 128 bytes,
// aligned to 64, in a kernel's __grid_constant__ parameter, constant or global memory. By one
// thread.

// The .shared::cta destination came with PTX 8.6; in a kernel without clusters the older form means
// the same.
#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 8)
#define TILEPIPE_TENSOR_LOAD(dims) \
  "cp.async.bulk.tensor." dims ".shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
#else
#define TILEPIPE_TENSOR_LOAD(dims) \
  "cp.async.bulk.tensor." dims     \
  ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
#endif

TILEPIPE_D void tensor_load_1d(unsigned dst, const void* map, unsigned bar, int x) {
  asm volatile(TILEPIPE_TENSOR_LOAD("1d") "{%3}], [%2];" ::"r"(dst), "l"(map), "r"(bar), "r"(x)
               : "memory");
}
TILEPIPE_D void tensor_load_2d(unsigned dst, const void* map, unsigned bar, int x, int y) {
  asm volatile(TILEPIPE_TENSOR_LOAD("2d") "{%3, %4}], [%2];" ::"r"(dst), "l"(map), "r"(bar), "r"(x),
               "r"(y)
               : "memory");
}
TILEPIPE_D void tensor_load_3d(unsigned dst, const void* map, unsigned bar, int x, int y, int z) {
  asm volatile(TILEPIPE_TENSOR_LOAD("3d") "{%3, %4, %5}], [%2];" ::"r"(dst), "l"(map), "r"(bar),
               "r"(x), "r"(y), "r"(z)
               : "memory");
}
TILEPIPE_D void tensor_load_4d(unsigned dst, const void* map, unsigned bar, int x, int y, int z,
                               int u) {
  asm volatile(TILEPIPE_TENSOR_LOAD("4d") "{%3, %4, %5, %6}], [%2];" ::"r"(dst), "l"(map), "r"(bar),
               "r"(x), "r"(y), "r"(z), "r"(u)
               : "memory");
}
TILEPIPE_D void tensor_load_5d(unsigned dst, const void* map, unsigned bar, int x, int y, int z,
                               int u, int v) {
  asm volatile(TILEPIPE_TENSOR_LOAD("5d") "{%3, %4, %5, %6, %7}], [%2];" ::"r"(dst), "l"(map),
               "r"(bar), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v)
               : "memory");
}
#undef TILEPIPE_TENSOR_LOAD

// tensor_store: the box in shared memory at src, a multiple of 128, to the place in `map` whose
// first element has the coordinates x, y, ..., none negative; what lies outside the tensor is not
// written. Complete by the calling thread's bulk group. What threads wrote to src is fenced before,
// by each of them. By one thread.
#define TILEPIPE_TENSOR_STORE(dims) \
  "cp.async.bulk.tensor." dims ".global.shared::cta.tile.bulk_group [%0, "

TILEPIPE_D void tensor_store_1d(const void* map, unsigned src, int x) {
  asm volatile(TILEPIPE_TENSOR_STORE("1d") "{%2}], [%1];" ::"l"(map), "r"(src), "r"(x) : "memory");
}
TILEPIPE_D void tensor_store_2d(const void* map, unsigned src, int x, int y) {
  asm volatile(TILEPIPE_TENSOR_STORE("2d") "{%2, %3}], [%1];" ::"l"(map), "r"(src), "r"(x), "r"(y)
               : "memory");
}
TILEPIPE_D void tensor_store_3d(const void* map, unsigned src, int x, int y, int z) {
  asm volatile(TILEPIPE_TENSOR_STORE("3d") "{%2, %3, %4}], [%1];" ::"l"(map), "r"(src), "r"(x),
               "r"(y), "r"(z)
               : "memory");
}
TILEPIPE_D void tensor_store_4d(const void* map, unsigned src, int x, int y, int z, int u) {
  asm volatile(TILEPIPE_TENSOR_STORE("4d") "{%2, %3, %4, %5}], [%1];" ::"l"(map), "r"(src), "r"(x),
               "r"(y), "r"(z), "r"(u)
               : "memory");
}
TILEPIPE_D void tensor_store_5d(const void* map, unsigned src, int x, int y, int z, int u, int v) {
  asm volatile(TILEPIPE_TENSOR_STORE("5d") "{%2, %3, %4, %5, %6}], [%1];" ::"l"(map), "r"(src),
               "r"(x), "r"(y), "r"(z), "r"(u), "r"(v)
               : "memory");
}
#undef TILEPIPE_TENSOR_STORE

// Fetches the map ahead of the first copy that reads it. By one thread.
TILEPIPE_D void prefetch_tensor_map(const void* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

}  // namespace ptx
TILEPIPE_NAMESPACE_END
