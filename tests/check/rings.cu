// SPDX-License-Identifier: Apache-2.0
// Rings by hand, right and with one fault planted. A kernel's name ends in the fault.
// CHECK_ARCH is the architecture of the PTX.
#include <tilepipe/ptx/address.cuh>
#include <tilepipe/ptx/bulk.cuh>
#include <tilepipe/ptx/bulk_store.cuh>
#include <tilepipe/ptx/cp_async.cuh>
#include <tilepipe/ptx/fence.cuh>
#include <tilepipe/ptx/mbarrier.cuh>

namespace ptx = tilepipe::ptx;

enum class Fault {
  none,
  missing_wait,
  shallow_wait,
  commit_only_copies,
  no_barrier_after_wait,
  refill_before_barrier,
  no_release,
  release_before_read,
  consumer_parity_stuck,
  producer_parity_wrong,
  expect_16_more,
  expect_16_less,
  no_expect,
  no_barrier_after_init,
  no_wait_for_empty,
  full_count_plus_1,
  no_fence,
  store_before_barrier,
  missing_store_wait,
  shallow_store_wait,
  no_last_store_wait
};

inline constexpr int stages = 3, elements = 128;  // of a tile; out[t][i] = 2 * in[t][127 - i]

// Every thread of a block of any shape loads and computes; groups or stores through registers.
template <bool Asynchronous, Fault F>
__device__ void unified_ring(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float ring[stages][elements];
  const int rank = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
  const auto load = [&](int t) {
    if (t < tiles)
      for (int i = 4 * rank; i < elements; i += 4 * threads) {
        float* to = &ring[t % stages][i];
        const float* from = in + t * elements + i;
        if constexpr (Asynchronous)
          ptx::cp_async_ca<16, 0, false>(ptx::shared_address(to), from);
        else
          *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
      }
    if constexpr (Asynchronous)
      if (F != Fault::commit_only_copies || t < tiles) ptx::cp_async_commit_group();
  };
  for (int t = 0; t < stages - 1; ++t) load(t);
  for (int t = 0; t < tiles; ++t) {
    if (F == Fault::refill_before_barrier) load(t + stages - 1);
    if constexpr (Asynchronous && F != Fault::missing_wait)
      ptx::cp_async_wait_group<stages - 2 + (F == Fault::shallow_wait)>();
    if (F != Fault::no_barrier_after_wait) __syncthreads();
    if (F != Fault::refill_before_barrier) load(t + stages - 1);
    for (int i = rank; i < elements; i += threads)
      out[t * elements + i] = 2 * ring[t % stages][elements - 1 - i];
  }
  if constexpr (Asynchronous) ptx::cp_async_wait_group<0>();
}

// The first warp computes, the second loads, in bulk or by cp.async, over full and empty mbarriers.
template <bool Bulk, Fault F>
__device__ void roles_ring(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float ring[stages][elements];
  __shared__ __align__(8) unsigned long long full[stages], empty[stages];
  const int lane = threadIdx.x % 32;
  const auto address = [](void* p) { return ptx::shared_address(p); };
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      ptx::mbarrier_init(address(&full[s]), (Bulk ? 1 : 32) + (F == Fault::full_count_plus_1));
      ptx::mbarrier_init(address(&empty[s]), 32);
    }
    if constexpr (Bulk) ptx::fence_proxy_async_shared();
  }
  if (F != Fault::no_barrier_after_init) __syncthreads();
  if (threadIdx.x >= 32) {
    if (Bulk && lane != 0) return;
    for (int t = 0; t < tiles; ++t) {
      const int s = t % stages;
      const unsigned parity = t / stages & 1;
      if (F != Fault::no_wait_for_empty)
        ptx::mbarrier_wait_parity(address(&empty[s]),
                                  parity ^ (F == Fault::producer_parity_wrong ? 0 : 1));
      if constexpr (Bulk) {
        constexpr int bytes = elements * 4, expected = bytes + 16 * (F == Fault::expect_16_more) -
                                                       16 * (F == Fault::expect_16_less);
        if (F == Fault::no_expect)
          ptx::mbarrier_arrive(address(&full[s]));
        else
          ptx::mbarrier_arrive_expect_tx(address(&full[s]), expected);
        ptx::bulk_load(address(ring[s]), in + t * elements, bytes, address(&full[s]));
      } else {
        ptx::cp_async_ca<16, 0, false>(address(&ring[s][4 * lane]), in + t * elements + 4 * lane);
        ptx::cp_async_mbarrier_arrive_noinc(address(&full[s]));
      }
    }
    return;
  }
  for (int t = 0; t < tiles; ++t) {
    const int s = t % stages;
    const unsigned parity = F == Fault::consumer_parity_stuck ? 0 : t / stages & 1;
    ptx::mbarrier_wait_parity(address(&full[s]), parity);
    if (F == Fault::release_before_read) ptx::mbarrier_arrive(address(&empty[s]));
    for (int i = lane; i < elements; i += 32) out[t * elements + i] = 2 * ring[s][elements - 1 - i];
    if (F != Fault::release_before_read && F != Fault::no_release)
      ptx::mbarrier_arrive(address(&empty[s]));
  }
}

// Tiles are computed into slots and stored in bulk, each slot again once its store has read it.
template <Fault F>
__device__ void stores(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float slots[stages][elements];
  const int rank = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
  for (int t = 0; t < tiles; ++t) {
    float* slot = slots[t % stages];
    if (rank == 0 && F != Fault::missing_store_wait)
      ptx::bulk_wait_group_read<stages - 1 + (F == Fault::shallow_store_wait)>();
    __syncthreads();
    for (int i = rank; i < elements; i += threads)
      slot[elements - 1 - i] = 2 * in[t * elements + i];
    if (F != Fault::no_fence) ptx::fence_proxy_async_shared();
    if (F != Fault::store_before_barrier) __syncthreads();
    if (rank == 0) {
      ptx::bulk_store(out + t * elements, ptx::shared_address(slot), elements * 4);
      ptx::bulk_commit_group();
    }
  }
  if (rank == 0 && F != Fault::no_last_store_wait) ptx::bulk_wait_group_read<0>();
}

#define KERNEL(ring, name, fault)                                                      \
  extern "C" __global__ void name##__##fault(const float* in, float* out, int tiles) { \
    ring<Fault::fault>(in, out, tiles);                                                \
  }
template <Fault F>
__device__ void registers(const float* in, float* out, int tiles) {
  unified_ring<false, F>(in, out, tiles);
}
KERNEL(registers, registers, none)
KERNEL(registers, registers, no_barrier_after_wait)

#if CHECK_ARCH >= 80
template <Fault F>
__device__ void groups(const float* in, float* out, int tiles) {
  unified_ring<true, F>(in, out, tiles);
}
KERNEL(groups, groups, none)
KERNEL(groups, groups, missing_wait)
KERNEL(groups, groups, shallow_wait)
KERNEL(groups, groups, commit_only_copies)
KERNEL(groups, groups, no_barrier_after_wait)
KERNEL(groups, groups, refill_before_barrier)

// C = A * B of 64 x 64 by 256 threads, in tiles of 16 along K: what the checker's speed is measured
// on.
extern "C" __global__ void product(const float* a, const float* b, float* c, int tiles) {
  __shared__ __align__(16) float ring[4][2][16 * 64];
  const int i = threadIdx.x / 16 * 4, j = threadIdx.x % 16 * 4, part = 4 * threadIdx.x;
  const auto load = [&](int t) {
    if (t < tiles) {
      ptx::cp_async_ca<16, 0, false>(ptx::shared_address(&ring[t % 4][0][part]),
                                     a + t * 1024 + part);
      ptx::cp_async_ca<16, 0, false>(ptx::shared_address(&ring[t % 4][1][part]),
                                     b + t * 1024 + part);
    }
    ptx::cp_async_commit_group();
  };
  for (int t = 0; t < 3; ++t) load(t);
  float sum[4][4]{};
  for (int t = 0; t < tiles; ++t) {
    ptx::cp_async_wait_group<2>();
    __syncthreads();
    load(t + 3);
    for (int k = 0; k < 16; ++k)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
          sum[y][x] += ring[t % 4][0][k * 64 + i + y] * ring[t % 4][1][k * 64 + j + x];
  }
  ptx::cp_async_wait_group<0>();
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) c[(i + y) * 64 + j + x] = sum[y][x];
}

template <Fault F>
__device__ void roles_cp_async(const float* in, float* out, int tiles) {
  roles_ring<false, F>(in, out, tiles);
}
#define ROLES(ring)                         \
  KERNEL(ring, ring, none)                  \
  KERNEL(ring, ring, no_release)            \
  KERNEL(ring, ring, release_before_read)   \
  KERNEL(ring, ring, consumer_parity_stuck) \
  KERNEL(ring, ring, producer_parity_wrong) \
  KERNEL(ring, ring, no_barrier_after_init) \
  KERNEL(ring, ring, no_wait_for_empty)     \
  KERNEL(ring, ring, full_count_plus_1)
ROLES(roles_cp_async)
#endif

#if CHECK_ARCH >= 90
template <Fault F>
__device__ void roles_bulk(const float* in, float* out, int tiles) {
  roles_ring<true, F>(in, out, tiles);
}
ROLES(roles_bulk)
KERNEL(roles_bulk, roles_bulk, expect_16_more)
KERNEL(roles_bulk, roles_bulk, expect_16_less)
KERNEL(roles_bulk, roles_bulk, no_expect)
KERNEL(stores, stores, none)
KERNEL(stores, stores, no_fence)
KERNEL(stores, stores, store_before_barrier)
KERNEL(stores, stores, missing_store_wait)
KERNEL(stores, stores, shallow_store_wait)
KERNEL(stores, stores, no_last_store_wait)
#endif
