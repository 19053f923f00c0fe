// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor, shared to global (sm_90). PTX ISA, "Data
// Movement and Conversion Instructions: cp.async.bulk.tensor, cp.reduce.async.bulk.tensor".
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN
namespace ptx {

// tensor_store: the box in shared memory at src, a multiple of 128, to the place in `map` whose
// first element has the coordinates `at`, none negative; what lies outside the tensor is not
// written. Complete by the calling thread's bulk group. What threads wrote to src is fenced before,
// by each of them. Hinted: by an L2 cache policy. By one thread.
// tensor_add: the same, but adds to what is there, element by element as the map has them, each
// addition atomic and relaxed.
#define TILEPIPE_TENSOR_STORE(name, dims, operation, numbers, policy_number, ...)            \
  if constexpr (Hinted)                                                                      \
    asm volatile(name dims ".global.shared::cta" operation                                   \
                           ".tile.bulk_group.L2::cache_hint [%0, {" numbers                  \
                           "}], [%1], " policy_number ";" ::"l"(map),                        \
                 "r"(src), __VA_ARGS__, "l"(policy)                                          \
                 : "memory");                                                                \
  else                                                                                       \
    asm volatile(name dims ".global.shared::cta" operation ".tile.bulk_group [%0, {" numbers \
                           "}], [%1];" ::"l"(map),                                           \
                 "r"(src), __VA_ARGS__                                                       \
                 : "memory")

template <bool Hinted = false>
TILEPIPE_D void tensor_store(const void* map, unsigned src, const int (&at)[1],
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.async.bulk.tensor.", "1d", "", "%2", "%3", "r"(at[0]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_store(const void* map, unsigned src, const int (&at)[2],
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.async.bulk.tensor.", "2d", "", "%2, %3", "%4", "r"(at[0]), "r"(at[1]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_store(const void* map, unsigned src, const int (&at)[3],
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.async.bulk.tensor.", "3d", "", "%2, %3, %4", "%5", "r"(at[0]),
                        "r"(at[1]), "r"(at[2]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_store(const void* map, unsigned src, const int (&at)[4],
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.async.bulk.tensor.", "4d", "", "%2, %3, %4, %5", "%6", "r"(at[0]),
                        "r"(at[1]), "r"(at[2]), "r"(at[3]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_store(const void* map, unsigned src, const int (&at)[5],
                             [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.async.bulk.tensor.", "5d", "", "%2, %3, %4, %5, %6", "%7", "r"(at[0]),
                        "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_add(const void* map, unsigned src, const int (&at)[1],
                           [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.reduce.async.bulk.tensor.", "1d", ".add", "%2", "%3", "r"(at[0]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_add(const void* map, unsigned src, const int (&at)[2],
                           [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.reduce.async.bulk.tensor.", "2d", ".add", "%2, %3", "%4", "r"(at[0]),
                        "r"(at[1]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_add(const void* map, unsigned src, const int (&at)[3],
                           [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.reduce.async.bulk.tensor.", "3d", ".add", "%2, %3, %4", "%5",
                        "r"(at[0]), "r"(at[1]), "r"(at[2]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_add(const void* map, unsigned src, const int (&at)[4],
                           [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.reduce.async.bulk.tensor.", "4d", ".add", "%2, %3, %4, %5", "%6",
                        "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]));
}
template <bool Hinted = false>
TILEPIPE_D void tensor_add(const void* map, unsigned src, const int (&at)[5],
                           [[maybe_unused]] unsigned long long policy = 0) {
  TILEPIPE_TENSOR_STORE("cp.reduce.async.bulk.tensor.", "5d", ".add", "%2, %3, %4, %5, %6", "%7",
                        "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4]));
}
#undef TILEPIPE_TENSOR_STORE

}  // namespace ptx
TILEPIPE_NAMESPACE_END
