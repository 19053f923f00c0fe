// SPDX-License-Identifier: Apache-2.0
// A cp.async of 2 bytes.
// expect: tilepipe::ptx::cp_async_ca: 4, 8 or 16 bytes
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BYTES 4
#else
#define BYTES 2
#endif

__global__ void kernel(const void* in) { tilepipe::ptx::cp_async_ca<BYTES, 0, false>(0, in); }
