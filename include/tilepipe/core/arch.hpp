// SPDX-License-Identifier: Apache-2.0
// What each architecture has: copy instructions, barriers, and the size of its multiprocessors.
#pragma once

#include "../config.hpp"

TILEPIPE_NAMESPACE_BEGIN

// Each SM inherits what its predecessor has and says what differs; a new one is a struct here and
// an entry in arch_traits(). Sizes: CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability".
struct Sm70 {
  static constexpr int arch = 70;
  static constexpr bool cp_async = false;
  static constexpr bool mbarrier = false;
  static constexpr bool bulk = false;
  static constexpr int smem_per_sm = 96 * 1024;     // bytes
  static constexpr int smem_per_block = 96 * 1024;  // bytes, opted in
  static constexpr int smem_reserved = 0;           // bytes that the system takes of each block
  static constexpr int threads_per_sm = 2048;
  static constexpr int blocks_per_sm = 32;
};
struct Sm75 : Sm70 {
  static constexpr int arch = 75;
  static constexpr int smem_per_sm = 64 * 1024;
  static constexpr int smem_per_block = 64 * 1024;
  static constexpr int threads_per_sm = 1024;
  static constexpr int blocks_per_sm = 16;
};
struct Sm80 : Sm70 {
  static constexpr int arch = 80;
  static constexpr bool cp_async = true;
  static constexpr bool mbarrier = true;
  static constexpr int smem_per_sm = 164 * 1024;
  static constexpr int smem_per_block = 163 * 1024;
  static constexpr int smem_reserved = 1024;
};
struct Sm86 : Sm80 {
  static constexpr int arch = 86;
  static constexpr int smem_per_sm = 100 * 1024;
  static constexpr int smem_per_block = 99 * 1024;
  static constexpr int threads_per_sm = 1536;
  static constexpr int blocks_per_sm = 16;
};
struct Sm87 : Sm80 {
  static constexpr int arch = 87;
  static constexpr int threads_per_sm = 1536;
  static constexpr int blocks_per_sm = 16;
};
struct Sm89 : Sm86 {
  static constexpr int arch = 89;
  static constexpr int blocks_per_sm = 24;
};
struct Sm90 : Sm80 {
  static constexpr int arch = 90;
  static constexpr bool bulk = true;
  static constexpr int smem_per_sm = 228 * 1024;
  static constexpr int smem_per_block = 227 * 1024;
};
struct Sm100 : Sm90 {
  static constexpr int arch = 100;
};
struct Sm120 : Sm90 {
  static constexpr int arch = 120;
  static constexpr int smem_per_sm = 100 * 1024;
  static constexpr int smem_per_block = 99 * 1024;
  static constexpr int threads_per_sm = 1536;
  static constexpr int blocks_per_sm = 24;
};

// The same as values, for functions that take the architecture as a number.
struct ArchTraits {
  int arch = 0;
  bool cp_async = false;
  bool mbarrier = false;
  bool bulk = false;
  int smem_per_sm = 0;
  int smem_per_block = 0;
  int smem_reserved = 0;
  int threads_per_sm = 0;
  int blocks_per_sm = 0;
};

template <class... Known>
TILEPIPE_HD constexpr ArchTraits newest_up_to(int arch) {
  ArchTraits found{};
  ((Known::arch <= arch && Known::arch > found.arch
        ? void(found = ArchTraits{Known::arch, Known::cp_async, Known::mbarrier, Known::bulk,
                                  Known::smem_per_sm, Known::smem_per_block, Known::smem_reserved,
                                  Known::threads_per_sm, Known::blocks_per_sm})
        : void()),
   ...);
  return found;
}

// The traits of `arch` (75, 80, 90, ...); an architecture not listed has those of the newest before
// it. arch 0, the host pass, has none.
TILEPIPE_HD constexpr ArchTraits arch_traits(int arch) {
  return newest_up_to<Sm70, Sm75, Sm80, Sm86, Sm87, Sm89, Sm90, Sm100, Sm120>(arch);
}

TILEPIPE_NAMESPACE_END
