// SPDX-License-Identifier: Apache-2.0
// One kernel with the default observer, or with one of its own that does nothing (OBSERVED).
#include "stream_float4.cuh"

struct Nothing {
  __device__ void begin(const tilepipe::PipelineInfo&) {}
  __device__ void acquire(int) {}
  __device__ void issue(int, int) {}
  __device__ void commit(int, int) {}
  __device__ void wait_begin(int, int) {}
  __device__ void wait_end(int, int) {}
  __device__ void release(int) {}
  __device__ void drain() {}
  __device__ void end() {}
};
__device__ int waits_seen;
struct Counting : Nothing {
  int waits = 0;
  __device__ void wait_end(int, int) { ++waits; }
  __device__ void end() { waits_seen = waits; }
};

#if OBSERVED == 0
using Observe = tilepipe::Policy<>;
#elif OBSERVED == 1
using Observe = tilepipe::ObserveBy<Nothing>;
#else
using Observe = tilepipe::ObserveBy<Counting>;
#endif

extern "C" __global__ void unified(const float* in, float* out, int tiles) {
  stream_float4<tilepipe::Block<256>, Observe>(in, out, tiles);
}
extern "C" __global__ void roles(const float* in, float* out, int tiles) {
  stream_float4<tilepipe::Specialized<32, 256>, Observe>(in, out, tiles);
}
