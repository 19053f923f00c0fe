// SPDX-License-Identifier: Apache-2.0
// Host and device markers, the versioned namespace, and the architecture being compiled.
#pragma once

#include "version.hpp"

#if defined(__CUDACC__)
#define TILEPIPE_HD __host__ __device__ __forceinline__
#define TILEPIPE_D __device__ __forceinline__
#else
#define TILEPIPE_HD inline
#define TILEPIPE_D inline
#endif

// Asks for a loop to be unrolled in device code; host compilers would warn.
#if defined(__CUDA_ARCH__)
#define TILEPIPE_UNROLL _Pragma("unroll")
#define TILEPIPE_NO_UNROLL _Pragma("unroll 1")
#else
#define TILEPIPE_UNROLL
#define TILEPIPE_NO_UNROLL
#endif

// TILEPIPE_CHECKS: define it (for every file that includes the library, or for some) to check call
// order and promises on the device. The inline namespace differs, so that objects built both ways
// link into one program.
#define TILEPIPE_JOIN(major, minor, patch, checks) v##major##_##minor##_##patch##checks
#define TILEPIPE_ABI_OF(major, minor, patch, checks) TILEPIPE_JOIN(major, minor, patch, checks)
#if defined(TILEPIPE_CHECKS)
#define TILEPIPE_ABI \
  TILEPIPE_ABI_OF(TILEPIPE_VERSION_MAJOR, TILEPIPE_VERSION_MINOR, TILEPIPE_VERSION_PATCH, _checks)
#else
#define TILEPIPE_ABI \
  TILEPIPE_ABI_OF(TILEPIPE_VERSION_MAJOR, TILEPIPE_VERSION_MINOR, TILEPIPE_VERSION_PATCH, )
#endif
#define TILEPIPE_NAMESPACE_BEGIN \
  namespace tilepipe {           \
  inline namespace TILEPIPE_ABI {
#define TILEPIPE_NAMESPACE_END \
  }                            \
  }

TILEPIPE_NAMESPACE_BEGIN

// The architecture of the device pass being compiled: 75, 80, 90, 100, ...; 0 in the host pass. It
// may change code and thread-local objects. It never is a template argument, and never changes a
// type that lives in shared memory or in a kernel's parameters: so the host pass and all device
// passes agree on names and sizes.
#if defined(__CUDA_ARCH__)
inline constexpr int this_arch = __CUDA_ARCH__ / 10;
#else
inline constexpr int this_arch = 0;
#endif

// Whether the code is for one architecture or family alone (sm_90a, sm_100f, ...), and so may use
// what only those targets have: setmaxnreg.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_FEAT_SM100_ALL) || \
    defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_SPECIFIC__) ||    \
    defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
inline constexpr bool specific_target = true;
#else
inline constexpr bool specific_target = false;
#endif

#if defined(TILEPIPE_CHECKS)
inline constexpr bool checks_enabled = true;
#else
inline constexpr bool checks_enabled = false;
#endif

TILEPIPE_NAMESPACE_END
