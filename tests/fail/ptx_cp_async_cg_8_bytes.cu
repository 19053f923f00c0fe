// SPDX-License-Identifier: Apache-2.0
// A cp.async past L1 of 8 bytes.
// expect: tilepipe::ptx::cp_async_cg: 16 bytes
#include <tilepipe/tilepipe.cuh>

#if defined(TILEPIPE_FAIL_TWIN)
#define BYTES 16
#else
#define BYTES 8
#endif

__global__ void kernel(const void* in) { tilepipe::ptx::cp_async_cg<BYTES, 0, false>(0, in); }
