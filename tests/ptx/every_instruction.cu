// SPDX-License-Identifier: Apache-2.0
// Every function of ptx/ as the instruction that it stands for, called or not by the library.
// RUN-ARCH: 75 80 90 90a 100 120
#include <tilepipe/tile_storer.cuh>
#include <tilepipe/tilepipe.cuh>
//
#include <tilepipe/ptx/bulk_tensor.cuh>
#include <tilepipe/ptx/elect.cuh>
#include <tilepipe/ptx/setmaxnreg.cuh>

namespace ptx = tilepipe::ptx;

// CHECK-LABEL: .entry barriers(
// CHECK: cvta.to.shared.u64
// CHECK: bar.sync {{%r[0-9]+}}, {{%r[0-9]+}};
// CHECK: bar.arrive {{%r[0-9]+}}, {{%r[0-9]+}};
// CHECK: ret;
extern "C" __global__ void barriers(const void* p, unsigned* out, int id, int threads) {
  *out = ptx::shared_address(p);
  ptx::named_barrier_sync(id, threads);
  ptx::named_barrier_arrive(id, threads);
}

// Two reads with a barrier of the compiler between are two; a pinned reference is what it was.
// CHECK-LABEL: .entry compiler(
// CHECK: ld.shared
// CHECK: ld.shared
// CHECK: ret;
extern "C" __global__ void compiler(int* out) {
  __shared__ int word[1];
  int& here = ptx::pinned(word[0]);
  const int before = here;
  ptx::compiler_barrier();
  *out = before + here;
}

// An address that the compiler cannot see through.
// CHECK-LABEL: .entry hidden(
// CHECK: // begin inline asm
// CHECK: ld.{{(global.)?}}u8
// CHECK: ret;
extern "C" __global__ void hidden(const unsigned char* in, unsigned char* out) {
  *out = *ptx::opaque(in);
}

// CHECK-LABEL: .entry of_the_warp(
// CHECK: shfl.sync.idx.b32
// CHECK: shfl.sync.idx.b32
// CHECK: ret;
extern "C" __global__ void of_the_warp(const unsigned char* in, unsigned char* out) {
  *out = *ptx::warp_uniform(in);
}

// CHECK-LABEL: .entry adds(
// CHECK: red.relaxed.gpu.global.add.u32 [{{%rd[0-9]+}}], {{%r[0-9]+}};
// CHECK: red.relaxed.gpu.global.add.u64 [{{%rd[0-9]+}}], {{%rd[0-9]+}};
// CHECK: red.relaxed.gpu.global.add.f32 [{{%rd[0-9]+}}], {{%[rf][0-9]+}};
// CHECK: red.relaxed.gpu.global.add.f64 [{{%rd[0-9]+}}], {{%(rd|fd)[0-9]+}};
// CHECK: red.relaxed.gpu.global.add.noftz.f16 [{{%rd[0-9]+}}], {{%rs[0-9]+}};
// SM90: red.relaxed.gpu.global.add.noftz.bf16 [{{%rd[0-9]+}}], {{%rs[0-9]+}};
// CHECK: ret;
extern "C" __global__ void adds(void* to, unsigned word, unsigned long long wide, float f, double d,
                                unsigned short half) {
  ptx::add_u32(to, word);
  ptx::add_u64(to, wide);
  ptx::add_f32(to, f);
  ptx::add_f64(to, d);
  ptx::add_f16(to, half);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  ptx::add_bf16(to, half);
#endif
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define COPIES(op, bytes, prefetch)                     \
  ptx::cp_async_##op<bytes, prefetch, false>(to, from); \
  ptx::cp_async_##op<bytes, prefetch, true>(to, from, present);

// clang-format off
// SM80-LABEL: .entry copies(
// SM80: cp.async.ca.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 4;
// SM80: cp.async.ca.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 4, {{%r[0-9]+}};
// SM80: cp.async.ca.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 8;
// SM80: cp.async.ca.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 8, {{%r[0-9]+}};
// SM80: cp.async.ca.shared.global.L2::64B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// SM80: cp.async.ca.shared.global.L2::64B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16, {{%r[0-9]+}};
// SM80: cp.async.ca.shared.global.L2::128B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 4;
// SM80: cp.async.ca.shared.global.L2::128B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 4, {{%r[0-9]+}};
// SM80: cp.async.ca.shared.global.L2::256B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 8;
// SM80: cp.async.ca.shared.global.L2::256B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 8, {{%r[0-9]+}};
// SM80: cp.async.cg.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// SM80: cp.async.cg.shared.global [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16, {{%r[0-9]+}};
// SM80: cp.async.cg.shared.global.L2::64B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// SM80: cp.async.cg.shared.global.L2::64B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16, {{%r[0-9]+}};
// SM80: cp.async.cg.shared.global.L2::128B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// SM80: cp.async.cg.shared.global.L2::128B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16, {{%r[0-9]+}};
// SM80: cp.async.cg.shared.global.L2::256B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16;
// SM80: cp.async.cg.shared.global.L2::256B [{{%r[0-9]+}}], [{{%rd[0-9]+}}], 16, {{%r[0-9]+}};
// SM80: cp.async.commit_group;
// SM80: cp.async.wait_group 0;
// SM80: cp.async.wait_group 63;
// SM80: ret;
// clang-format on
extern "C" __global__ void copies(unsigned to, const void* from, unsigned present) {
  COPIES(ca, 4, 0)
  COPIES(ca, 8, 0)
  COPIES(ca, 16, 64)
  COPIES(ca, 4, 128)
  COPIES(ca, 8, 256)
  COPIES(cg, 16, 0)
  COPIES(cg, 16, 64)
  COPIES(cg, 16, 128)
  COPIES(cg, 16, 256)
  ptx::cp_async_commit_group();
  ptx::cp_async_wait_group<0>();
  ptx::cp_async_wait_group<63>();
}

// SM80-LABEL: .entry mbarriers(
// SM80: mbarrier.init.shared::cta.b64 [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM80: mbarrier.arrive.shared::cta.b64 state, [{{%r[0-9]+}}];
// SM80: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [{{%r[0-9]+}}];
// SM80: again:
// SM80-NEXT: mbarrier.test_wait.parity.shared::cta.b64 done, [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM80-NEXT: @!done bra again;
// SM80: mbarrier.inval.shared::cta.b64 [{{%r[0-9]+}}];
// SM80: ret;
extern "C" __global__ void mbarriers(unsigned bar, unsigned count, unsigned parity) {
  ptx::mbarrier_init(bar, count);
  ptx::mbarrier_arrive(bar);
  ptx::cp_async_mbarrier_arrive_noinc(bar);
  ptx::mbarrier_wait_parity(bar, parity);
  ptx::mbarrier_inval(bar);
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// SM90-LABEL: .entry in_bulk(
// SM90: mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90: mbarrier.arrive.expect_tx.shared::cta.b64 _, [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes
// SM90-SAME: [{{%r[0-9]+}}], [{{%rd[0-9]+}}], {{%r[0-9]+}}, [{{%r[0-9]+}}];
// SM90: again:
// SM90-NEXT: mbarrier.try_wait.parity.shared::cta.b64 done, [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90-NEXT: @!done bra again;
// SM90: fence.proxy.async.shared::cta;
// SM90: fence.proxy.async.global;
// SM90: fence.mbarrier_init.release.cluster;
// SM90: elect.sync _|p, 0xffffffff;
// SM90: ret;
extern "C" __global__ void in_bulk(unsigned to, const void* from, unsigned bytes, unsigned bar,
                                   int* out) {
  ptx::mbarrier_expect_tx(bar, bytes);
  ptx::mbarrier_arrive_expect_tx(bar, bytes);
  ptx::bulk_load(to, from, bytes, bar);
  ptx::mbarrier_wait_parity(bar, 1);
  ptx::fence_proxy_async_shared();
  ptx::fence_proxy_async_global();
  ptx::fence_mbarrier_init();
  *out = ptx::elect_sync();
}

// clang-format off
// SM90-LABEL: .entry stores(
// SM90: cp.async.bulk.global.shared::cta.bulk_group [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}};
// SM90: cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}];
// SM90: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}];
// SM90: cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group
// SM90: cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group
// SM90: cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group
// SM90: cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}];
// SM90: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}];
// SM90: cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group
// SM90: cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group
// SM90: cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.tile.bulk_group
// SM90: cp.async.bulk.commit_group;
// SM90: cp.async.bulk.wait_group.read 0;
// SM90: cp.async.bulk.wait_group.read 15;
// SM90: cp.async.bulk.wait_group 0;
// SM90: ret;
// clang-format on
extern "C" __global__ void stores(void* to, unsigned from, unsigned bytes, int x) {
  ptx::bulk_store(to, from, bytes);
  ptx::bulk_add_u32(to, from, bytes);
  ptx::bulk_add_u64(to, from, bytes);
  ptx::bulk_add_f16(to, from, bytes);
  ptx::bulk_add_bf16(to, from, bytes);
  ptx::bulk_add_f32(to, from, bytes);
  ptx::bulk_add_f64(to, from, bytes);
  ptx::tensor_store(to, from, {x});
  ptx::tensor_store(to, from, {x, x + 1});
  ptx::tensor_store(to, from, {x, x + 1, x + 2});
  ptx::tensor_store(to, from, {x, x + 1, x + 2, x + 3});
  ptx::tensor_store(to, from, {x, x + 1, x + 2, x + 3, x + 4});
  ptx::tensor_add(to, from, {x});
  ptx::tensor_add(to, from, {x, x + 1});
  ptx::tensor_add(to, from, {x, x + 1, x + 2});
  ptx::tensor_add(to, from, {x, x + 1, x + 2, x + 3});
  ptx::tensor_add(to, from, {x, x + 1, x + 2, x + 3, x + 4});
  ptx::bulk_commit_group();
  ptx::bulk_wait_group_read<0>();
  ptx::bulk_wait_group_read<15>();
  ptx::bulk_wait_group<0>();
}

// clang-format off
// SM90-LABEL: .entry boxes(
// SM90: prefetch.tensormap [{{%rd[0-9]+}}];
// SM90: cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {[[X:%r[0-9]+]]}], [{{%r[0-9]+}}];
// SM90: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {[[X]], [[Y:%r[0-9]+]]}], [{{%r[0-9]+}}];
// SM90: cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {[[X]], [[Y]], [[Z:%r[0-9]+]]}], [{{%r[0-9]+}}];
// SM90: cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {[[X]], [[Y]], [[Z]], [[U:%r[0-9]+]]}], [{{%r[0-9]+}}];
// SM90: cp.async.bulk.tensor.5d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {[[X]], [[Y]], [[Z]], [[U]], [[V:%r[0-9]+]]}], [{{%r[0-9]+}}];
// SM90: ret;
// clang-format on
extern "C" __global__ void boxes(unsigned to, const void* map, unsigned bar, int x, int y, int z,
                                 int u, int v) {
  ptx::prefetch_tensor_map(map);
  ptx::tensor_load(to, map, bar, {x});
  ptx::tensor_load(to, map, bar, {x, y});
  ptx::tensor_load(to, map, bar, {x, y, z});
  ptx::tensor_load(to, map, bar, {x, y, z, u});
  ptx::tensor_load(to, map, bar, {x, y, z, u, v});
}

// The same by L2 cache policies.
// clang-format off
// SM90-LABEL: .entry hinted(
// SM90: createpolicy.fractional.L2::evict_first.b64 [[FIRST:%rd[0-9]+]];
// SM90: createpolicy.fractional.L2::evict_last.b64 [[LAST:%rd[0-9]+]];
// SM90: cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [{{%r[0-9]+}}], [{{%rd[0-9]+}}], {{%r[0-9]+}}, [{{%r[0-9]+}}], [[FIRST]];
// SM90: cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}}, [[LAST]];
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u32 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}}, [[LAST]];
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u64 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}}, [[LAST]];
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.noftz.f16 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}}, [[LAST]];
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.noftz.bf16 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}}, [[LAST]];
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.f32 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}}, [[LAST]];
// SM90: cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.f64 [{{%rd[0-9]+}}], [{{%r[0-9]+}}], {{%r[0-9]+}}, [[LAST]];
// SM90: cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[FIRST]];
// SM90: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[FIRST]];
// SM90: cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[FIRST]];
// SM90: cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[FIRST]];
// SM90: cp.async.bulk.tensor.5d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [{{%r[0-9]+}}], [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[FIRST]];
// SM90: cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.tile.bulk_group.L2::cache_hint [{{%rd[0-9]+}}, {{.}}{{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}, {{%r[0-9]+}}{{.}}], [{{%r[0-9]+}}], [[LAST]];
// SM90: ret;
// clang-format on
extern "C" __global__ void hinted(void* there, unsigned here, unsigned bytes, unsigned bar, int x) {
  const unsigned long long first = ptx::evict_first_policy(), last = ptx::evict_last_policy();
  ptx::bulk_load<true>(here, there, bytes, bar, first);
  ptx::bulk_store<true>(there, here, bytes, last);
  ptx::bulk_add_u32<true>(there, here, bytes, last);
  ptx::bulk_add_u64<true>(there, here, bytes, last);
  ptx::bulk_add_f16<true>(there, here, bytes, last);
  ptx::bulk_add_bf16<true>(there, here, bytes, last);
  ptx::bulk_add_f32<true>(there, here, bytes, last);
  ptx::bulk_add_f64<true>(there, here, bytes, last);
  ptx::tensor_load<true>(here, there, bar, {x}, first);
  ptx::tensor_load<true>(here, there, bar, {x, x + 1}, first);
  ptx::tensor_load<true>(here, there, bar, {x, x + 1, x + 2}, first);
  ptx::tensor_load<true>(here, there, bar, {x, x + 1, x + 2, x + 3}, first);
  ptx::tensor_load<true>(here, there, bar, {x, x + 1, x + 2, x + 3, x + 4}, first);
  ptx::tensor_store<true>(there, here, {x}, last);
  ptx::tensor_store<true>(there, here, {x, x + 1}, last);
  ptx::tensor_store<true>(there, here, {x, x + 1, x + 2}, last);
  ptx::tensor_store<true>(there, here, {x, x + 1, x + 2, x + 3}, last);
  ptx::tensor_store<true>(there, here, {x, x + 1, x + 2, x + 3, x + 4}, last);
  ptx::tensor_add<true>(there, here, {x}, last);
  ptx::tensor_add<true>(there, here, {x, x + 1}, last);
  ptx::tensor_add<true>(there, here, {x, x + 1, x + 2}, last);
  ptx::tensor_add<true>(there, here, {x, x + 1, x + 2, x + 3}, last);
  ptx::tensor_add<true>(there, here, {x, x + 1, x + 2, x + 3, x + 4}, last);
}
#endif

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
// SM90a-LABEL: .entry split_registers(
// SM90a: setmaxnreg.dec.sync.aligned.u32 24;
// SM90a: setmaxnreg.inc.sync.aligned.u32 240;
// SM90a: ret;
extern "C" __global__ void __launch_bounds__(384, 1) split_registers() {
  if (threadIdx.x < 128)
    ptx::release_registers<24>();
  else
    ptx::claim_registers<240>();
}
#endif
