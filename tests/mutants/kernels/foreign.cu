// SPDX-License-Identifier: Apache-2.0
// Copies and completions of the other library behind the verbs.
#include <cooperative_groups.h>
#include <tilepipe/interop/libcudacxx.cuh>

#include "reuse.cuh"

#pragma nv_diag_suppress 20054  // shared variables of types that have constructors

using tilepipe::interop::bind;
using Loader = tilepipe::TileLoader<Vector, Via<tilepipe::Path::libcudacxx>>;

template <int Stages>
using RingOf = tilepipe::Ring<One<Vector>, Stages>;
template <int Stages>
using State = cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>;
using Block = tilepipe::Block<128>;
using Roles = tilepipe::Specialized<64, 64>;

extern "C" __global__ void foreign_thread__t128u1e512_exact(Arguments v) {
  __shared__ RingOf<3> ring[1];
  poison(ring, 1, v.seed);
  two_runs<Loader>(v, ring[0], Block{}, Default{});
}
extern "C" __global__ void foreign_pipeline__t128u1e512_exact(Arguments v) {
  __shared__ RingOf<3> ring[1];
  __shared__ State<3> state;
  poison(ring, 1, v.seed);
  auto user = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  two_runs<Loader>(v, ring[0], Block{}, bind(user, state));
}
__device__ cuda::pipeline_role role() {
  return threadIdx.x >= 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
}
extern "C" __global__ void foreign_roles__t128u1e512_exact(Arguments v) {
  __shared__ RingOf<2> ring[1];
  __shared__ State<2> state;
  poison(ring, 1, v.seed);
  auto user = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role());
  two_runs<Loader>(v, ring[0], Roles{}, bind(user, state));
}
extern "C" __global__ void foreign_landed__t128u1e512_exact(Arguments v) {
  __shared__ RingOf<2> ring[1];
  __shared__ State<2> state;
  poison(ring, 1, v.seed);
  auto user = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role());
  landed<Loader>(v, ring[0], Roles{}, bind(user, state));
}
extern "C" __global__ void foreign_left__t128u1e512_exact(Arguments v) {
  __shared__ RingOf<2> ring[1];
  __shared__ State<2> state;
  poison(ring, 1, v.seed);
  auto user = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role());
  left_in_flight<Loader>(v, ring[0], Roles{}, bind(user, state));
}
template <int Used>
__device__ void with_barriers(Arguments v) {
  __shared__ RingOf<3> ring[1];
  __shared__ cuda::barrier<cuda::thread_scope_block> barriers[3];
  if (threadIdx.x < 3) init(&barriers[threadIdx.x], blockDim.x);
  poison(ring, 1, v.seed);
  for (int i = 0; i < Used; ++i) barriers[i].arrive_and_wait();
  write_stages(ring[0].stage, v.seed, 0);
  two_runs<Loader>(v, ring[0], Block{}, bind(barriers));
}
KERNEL(foreign_fresh_barriers__t128u1e512_exact, with_barriers<0>)
// Barriers that have been used: two are in an odd phase, one is in an even one.
KERNEL(foreign_barriers__t128u1e512_exact, with_barriers<2>)
