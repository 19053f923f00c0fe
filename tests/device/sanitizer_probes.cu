// SPDX-License-Identifier: Apache-2.0
// Right kernels without a line of tilepipe, on which docs/sanitizers.md bases what it says of the
// tools. Usage: device_sanitizer_probes NAME, under compute-sanitizer; without a name, all names.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <cuda/barrier>
#include <cuda/pipeline>

#pragma nv_diag_suppress 20054  // dynamic initialization of a shared variable: its type has one

namespace {

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Instructions of 8.0; the kernels that have them are not launched as compute_75 code.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define ASM_80(...)
#else
#define ASM_80(...) asm volatile(__VA_ARGS__)
#endif

__device__ void arrive_on(unsigned bar) {
  ASM_80("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(bar) : "memory");
}
__device__ void wait_for(unsigned bar, int parity) {
  ASM_80(
      "{\n.reg .pred p;\nagain:\nmbarrier.test_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra again;\n}" ::"r"(bar),
      "r"(parity)
      : "memory");
}

__device__ bool wait_a_while(unsigned bar, int parity) {
  int over = 0;
  for (int i = 0; i < 20000 && over == 0; ++i)
    ASM_80(
        "{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.s32 %0, 1, 0, p;\n}"
        : "=r"(over)
        : "r"(bar), "r"(parity)
        : "memory");
  return over != 0;
}

// A cp.async of 16 bytes that reads `bytes` of them.
__global__ void partial_copy(const char* in, int* out, int bytes) {
  __shared__ __align__(16) int to[4];
  ASM_80("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(in),
         "r"(bytes)
         : "memory");
  ASM_80("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < 4; ++i) out[i] = to[i];
}

// A cuda::pipeline of one stage: each thread acquires, copies, commits, waits, releases.
__global__ void plain_pipeline(const int* in, int* out, int tiles) {
  __shared__ __align__(16) int to[256];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  for (int t = 0; t < tiles; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(to + threadIdx.x * 4, in + t * 256 + threadIdx.x * 4,
                       cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int i = static_cast<int>(threadIdx.x); i < 256; i += static_cast<int>(blockDim.x))
      out[t * 256 + i] = to[255 - i];
    pipe.consumer_release();
  }
}

// A cuda::barrier on which 64 threads arrive, and the copies of the first of them, Bytes each: from
// 16 on and 9.0 on they go in bulk. Waits name the token, or the phase's parity; Tested: before the
// first phase each thread asks whether the phase before it, which never was, is over.
template <bool ByParity, bool Tested, int Bytes = 16>
__global__ void barrier_copies(const int* in, int* out, int tiles) {
  __shared__ __align__(16) int to[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  if (Tested) out[threadIdx.x] = bar.try_wait_parity_for(true, cuda::std::chrono::nanoseconds{0});
  for (int t = 0; t < tiles; ++t) {
    constexpr int words = Bytes / 4;
    if (threadIdx.x < 64 / words)
      cuda::memcpy_async(to + threadIdx.x * words, in + t * 64 + threadIdx.x * words,
                         cuda::aligned_size_t<Bytes>(Bytes), bar);
    if (ByParity) {
      (void)bar.arrive();
      bar.wait_parity((t & 1) != 0);
    } else {
      bar.arrive_and_wait();
    }
    out[t * 64 + static_cast<int>(threadIdx.x)] = to[63 - threadIdx.x];
    __syncthreads();
  }
}

// The same by hand: 16 threads copy, and what they copied arrives too. Counted: as libcu++ has it,
// an arrival that first raises the count that it then takes away; else (.noinc) 16 more are
// expected. A wait gives up after a while: where the tool reports an overflow, it lets the warp go
// no further, and the phase never ends.
template <bool Counted>
__global__ void copied_arrivals(const int* in, int* out, int tiles) {
  __shared__ __align__(16) int to[64];
  __shared__ unsigned long long barrier;
  const int i = static_cast<int>(threadIdx.x);
  const unsigned bar = shared_address(&barrier);
  if (i == 0)
    ASM_80("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(Counted ? 64 : 80) : "memory");
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    if (i < 16) {
      ASM_80("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to + i * 4)),
             "l"(in + t * 64 + i * 4)
             : "memory");
      if (Counted)
        ASM_80("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
      else
        ASM_80("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
    }
    arrive_on(bar);
    if (!wait_a_while(bar, t & 1)) return;
    out[t * 64 + i] = to[63 - i];
    __syncthreads();
  }
}

// One warp writes tiles of 32 numbers, another reads them; a named barrier says that a tile is
// there, another that it is read.
__global__ void named_barriers(int* out, int tiles) {
  __shared__ int box[32];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int t = 0; t < tiles; ++t) {
    if (threadIdx.x < 32) {
      asm volatile("bar.sync 1, 64;" ::: "memory");  // full
      out[t * 32 + lane] = box[31 - lane];
      if (t + 1 < tiles) asm volatile("bar.arrive 2, 64;" ::: "memory");  // empty
    } else {
      if (t > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      box[lane] = t + lane;
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
  }
}

// A warp writes tiles of 32 numbers and, after its barrier, its first lane arrives for it on an
// mbarrier; another warp waits there, reads, and arrives for itself on the mbarrier of what is
// read.
__global__ void elected_arrival(int* out, int tiles) {
  __shared__ unsigned long long barriers[2];
  __shared__ int box[32];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const unsigned full = shared_address(&barriers[0]), empty = shared_address(&barriers[1]);
  if (threadIdx.x == 0) {
    ASM_80("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full) : "memory");
    ASM_80("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(empty) : "memory");
  }
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    if (threadIdx.x < 32) {
      wait_for(full, t & 1);
      out[t * 32 + lane] = box[31 - lane];
      arrive_on(empty);
    } else {
      wait_for(empty, t & 1 ^ 1);
      box[lane] = t + lane;
      __syncwarp();
      if (lane == 0) arrive_on(full);
    }
  }
}

// Threads of a warp, in groups of Size, on an mbarrier a group: its first lane makes it, the
// group's barrier follows, all arrive.
template <int Size>
__global__ void lanes_barrier(int* out, int rounds) {
  __shared__ unsigned long long barriers[32 / Size];
  __shared__ int box[32];
  const int lane = static_cast<int>(threadIdx.x), group = lane / Size;
  const unsigned mask = (Size == 32 ? ~0u : (1u << Size % 32) - 1u) << group * Size;
  const unsigned bar = shared_address(&barriers[group]);
  if (lane % Size == 0)
    ASM_80("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(Size) : "memory");
  __syncwarp(mask);
  for (int t = 0; t < rounds; ++t) {
    box[lane] = t + lane;
    arrive_on(bar);
    wait_for(bar, t & 1);
    out[t * 32 + lane] = box[group * Size + Size - 1 - lane % Size];
    __syncwarp(mask);
  }
}

template <class T>
T* allocate(std::size_t count) {
  T* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));
  cudaMemset(memory, 0, count * sizeof(T));
  return memory;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const names[] = {"partial_copy",    "whole_copy",         "plain_pipeline",
                               "warp_barrier",    "half_warp_barriers", "named_barriers",
                               "token_barrier",   "parity_barrier",     "tested_barrier",
                               "elected_arrival", "narrow_barrier",     "counted_arrivals",
                               "noinc_arrivals"};
  if (argc < 2) {
    for (const char* name : names) std::puts(name);
    return 0;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no GPU");
    return 77;
  }
  int* out = allocate<int>(4096);
  const auto is = [&](int i) { return std::strcmp(argv[1], names[i]) == 0; };
  if (is(0))
    partial_copy<<<1, 1>>>(allocate<char>(36) + 32, out, 4);  // 4 bytes before the end
  else if (is(1))
    partial_copy<<<1, 1>>>(allocate<char>(48) + 32, out, 4);  // a whole chunk before it
  else if (is(2))
    plain_pipeline<<<1, 64>>>(allocate<int>(9 * 256), out, 9);
  else if (is(3))
    lanes_barrier<32><<<1, 32>>>(out, 4);
  else if (is(4))
    lanes_barrier<16><<<1, 32>>>(out, 4);
  else if (is(5))
    named_barriers<<<1, 64>>>(out, 9);
  else if (is(6))
    barrier_copies<false, false><<<1, 64>>>(allocate<int>(9 * 64), out, 9);
  else if (is(7))
    barrier_copies<true, false><<<1, 64>>>(allocate<int>(9 * 64), out, 9);
  else if (is(8))
    barrier_copies<true, true><<<1, 64>>>(allocate<int>(9 * 64), out, 9);
  else if (is(9))
    elected_arrival<<<1, 64>>>(out, 9);
  else if (is(10))
    barrier_copies<false, false, 4><<<1, 64>>>(allocate<int>(9 * 64), out, 9);
  else if (is(11))
    copied_arrivals<true><<<1, 64>>>(allocate<int>(9 * 64), out, 9);
  else if (is(12))
    copied_arrivals<false><<<1, 64>>>(allocate<int>(9 * 64), out, 9);
  else
    return 2;
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s: %s\n", argv[1], cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
