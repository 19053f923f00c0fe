// SPDX-License-Identifier: Apache-2.0
// Kernels as others write them: the staged copies of libcu++, of the pipeline primitives and of
// cooperative groups; products, softmax and histograms behind them. None of it is this library's.
// Fault: as public code has had it.
#pragma nv_diag_suppress 20054  // barriers in shared memory have constructors
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

namespace pattern {

namespace cg = cooperative_groups;
constexpr int size = 128;  // of a tile, and threads of a block where nothing else is said
using Bytes = cuda::aligned_size_t<16>;
using Tile = float[size];

// What becomes of a tile: each thread needs what another one copied.
__device__ void use(const Tile& tile, float* out, int t, int thread) {
  out[t * size + thread] = 2 * tile[size - 1 - thread];
}

// Fault: five tiles in flight for four buffers, as a bound of <= makes it.
template <bool Fault>
__global__ void thread_pipeline(const float* in, float* out, int tiles) {
  constexpr int stages = 4, ahead = Fault ? 5 : 3;
  __shared__ alignas(16) Tile tile[stages];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const int thread = threadIdx.x;
  for (int t = 0, next = 0; t < tiles; ++t) {
    for (; next < tiles && next < t + ahead; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[next % stages][thread], &in[next * size + thread],
                         cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    use(tile[t % stages], out, t, thread);
    pipe.consumer_release();
  }
}

// Fault: the stage is given back before it is used.
template <bool Fault>
__global__ void block_pipeline(const float* in, float* out, int tiles) {
  constexpr int stages = 2;
  __shared__ alignas(16) Tile tile[stages];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int t = 0, next = 0; t < tiles; ++t) {
    for (; next < tiles && next < t + stages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[next % stages], in + next * size, Bytes(sizeof(Tile)), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    if (Fault) pipe.consumer_release();
    use(tile[t % stages], out, t, threadIdx.x);
    if (!Fault) pipe.consumer_release();
  }
}

// The first warp copies, the others compute: 160 threads.
__global__ void partitioned_pipeline(const float* in, float* out, int tiles) {
  constexpr int stages = 3, producers = 32;
  __shared__ alignas(16) Tile tile[stages];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, producers);
  if (threadIdx.x < producers) {
    for (int t = 0; t < tiles; ++t) {
      pipe.producer_acquire();
      for (int i = 4 * threadIdx.x; i < size; i += 4 * producers)
        cuda::memcpy_async(&tile[t % stages][i], &in[t * size + i], cuda::aligned_size_t<16>(16),
                           pipe);
      pipe.producer_commit();
    }
  } else {
    for (int t = 0; t < tiles; ++t) {
      pipe.consumer_wait();
      use(tile[t % stages], out, t, threadIdx.x - producers);
      pipe.consumer_release();
    }
  }
}

// Fault: every eighth thread initializes the barriers, as threadIdx.x == 0 of a 2-D block does.
template <bool Fault, bool NoFence = false>
__global__ void barriers(const float* in, float* out, int tiles) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) Tile tile[2];
  __shared__ Barrier full[2];
  const cg::thread_block block = cg::this_thread_block();
  if (Fault ? threadIdx.x % 8 == 0 : threadIdx.x == 0)
    for (Barrier& barrier : full) init(&barrier, blockDim.x);
#if __CUDA_ARCH__ >= 900
  // Copies in bulk count on these barriers, and libcu++ leaves this fence to its user.
  if (!NoFence && threadIdx.x == 0) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  __syncthreads();
  const auto fetch = [&](int t) {
    if (t < tiles)
      cuda::memcpy_async(block, tile[t % 2], in + t * size, Bytes(sizeof(Tile)), full[t % 2]);
  };
  fetch(0);
  for (int t = 0; t < tiles; ++t) {
    fetch(t + 1);
    full[t % 2].arrive_and_wait();
    use(tile[t % 2], out, t, threadIdx.x);
    __syncthreads();
  }
}

// Fault: no group is closed where nothing is left to copy, and the wait covers one too few.
template <bool Fault>
__global__ void primitives(const float* in, float* out, int tiles) {
  constexpr int stages = 3;
  __shared__ alignas(16) Tile tile[stages];
  const auto fetch = [&](int t) {
    if (t < tiles && threadIdx.x < size / 4)
      __pipeline_memcpy_async(&tile[t % stages][4 * threadIdx.x], &in[t * size + 4 * threadIdx.x],
                              16);
    if (!Fault || t < tiles) __pipeline_commit();
  };
  for (int t = 0; t < stages - 1; ++t) fetch(t);
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    fetch(t + stages - 1);
    use(tile[t % stages], out, t, threadIdx.x);
  }
}

// Fault: a wait for all but two where one more is needed.
template <bool Fault>
__global__ void cooperative(const float* in, float* out, int tiles) {
  __shared__ alignas(16) Tile tile[2];
  const cg::thread_block block = cg::this_thread_block();
  if (tiles > 0) cg::memcpy_async(block, tile[0], in, Bytes(sizeof(Tile)));
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, tile[(t + 1) % 2], in + (t + 1) * size, Bytes(sizeof(Tile)));
      cg::wait_prior<Fault ? 2 : 1>(block);
    } else {
      cg::wait(block);
    }
    use(tile[t % 2], out, t, threadIdx.x);
    block.sync();
  }
}

// Softmax of each tile: by shuffles within a warp, through shared memory between warps.
// Fault: no barrier before the partial results are written again.
template <bool Fault>
__global__ void softmax(const float* in, float* out, int tiles) {
  __shared__ float partial[size / 32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const auto of_block = [&](float value, auto combine) {
    for (int step = 16; step > 0; step /= 2)
      value = combine(value, __shfl_xor_sync(~0u, value, step));
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    value = partial[0];
    for (int w = 1; w < size / 32; ++w) value = combine(value, partial[w]);
    if (!Fault) __syncthreads();
    return value;
  };
  for (int t = 0; t < tiles; ++t) {
    const float x = in[t * size + threadIdx.x];
    const float most = of_block(x, [](float a, float b) { return fmaxf(a, b); });
    const float e = __expf(x - most);
    const float sum = of_block(e, [](float a, float b) { return a + b; });
    out[t * size + threadIdx.x] = e / sum;
  }
}

// How often each of 16 values is in the input. Fault: no barrier after the counters are cleared.
template <bool Fault>
__global__ void histogram(const float* in, int* out, int tiles) {
  __shared__ int counts[16];
  if (threadIdx.x < 16) counts[threadIdx.x] = 0;
  if (!Fault) __syncthreads();
  for (int t = 0; t < tiles; ++t)
    atomicAdd(&counts[static_cast<int>(in[t * size + threadIdx.x]) & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}

// C of 16 x 8 = A of 16 x K times B of 8 columns of K, f16 with f32 sums, by one warp: two stages.
// Fault: the next copies are issued before the lanes have met.
template <bool Fault>
__global__ void half_product(const half* a, const half* b, float* c, int steps) {
  __shared__ alignas(16) half tile[2][24][16];  // rows of A, then columns of B
  const int lane = threadIdx.x;
  const auto fetch = [&](int s) {
    for (int i = lane; i < 48 && s < steps; i += 32) {
      const int row = i / 2, col = i % 2 * 8;
      const half* from = row < 16 ? a + row * steps * 16 : b + (row - 16) * steps * 16;
      __pipeline_memcpy_async(&tile[s % 2][row][col], from + s * 16 + col, 16);
    }
    __pipeline_commit();
  };
  float sum[4] = {};
  fetch(0);
  for (int s = 0; s < steps; ++s) {
    __pipeline_wait_prior(0);
    if (!Fault) __syncwarp();
    fetch(s + 1);
    unsigned x[4], y[2];
    const auto at = [](const half* p) {
      return static_cast<unsigned>(__cvta_generic_to_shared(p));
    };
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(at(&tile[s % 2][lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(at(&tile[s % 2][16 + lane % 8][lane / 8 % 2 * 8])));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  }
  for (int i = 0; i < 4; ++i) c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = sum[i];
}

template __global__ void thread_pipeline<false>(const float*, float*, int);
template __global__ void thread_pipeline<true>(const float*, float*, int);
template __global__ void block_pipeline<false>(const float*, float*, int);
template __global__ void block_pipeline<true>(const float*, float*, int);
template __global__ void barriers<false>(const float*, float*, int);
template __global__ void barriers<true>(const float*, float*, int);
template __global__ void barriers<false, true>(const float*, float*, int);
template __global__ void primitives<false>(const float*, float*, int);
template __global__ void primitives<true>(const float*, float*, int);
template __global__ void cooperative<false>(const float*, float*, int);
template __global__ void cooperative<true>(const float*, float*, int);
template __global__ void softmax<false>(const float*, float*, int);
template __global__ void softmax<true>(const float*, float*, int);
template __global__ void histogram<false>(const float*, int*, int);
template __global__ void histogram<true>(const float*, int*, int);
template __global__ void half_product<false>(const half*, const half*, float*, int);
template __global__ void half_product<true>(const half*, const half*, float*, int);

}  // namespace pattern
