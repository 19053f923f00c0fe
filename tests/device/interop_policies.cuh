// SPDX-License-Identifier: Apache-2.0
// Policies that bind pipelines and barriers of the other library, which the kernel owns.
#pragma once
#include <tilepipe/interop/libcudacxx.cuh>

#include "hows.cuh"

#pragma nv_diag_suppress 20054  // dynamic initialization of shared variables: their types have
                                // constructors

namespace tilepipe_test {

struct BoundPipeline : Automatic {};
template <>
struct WithPolicy<BoundPipeline> {
  template <class Ring, class Team, class Body, class... Loaders>
  static __device__ void call(Ring& ring, const Team& team, Body&& body, Loaders&... loaders) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Ring::stages> state;
    const auto block = cooperative_groups::this_thread_block();
    if constexpr (TeamOf<Team>::specialized) {
      auto user = cuda::make_pipeline(
          block, &state,
          TeamOf<Team>::produces() ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
      tilepipe::Pipeline pipe{ring, team, tilepipe::interop::bind(user, state), loaders...};
      body(pipe);
    } else {
      auto user = cuda::make_pipeline(block, &state);
      tilepipe::Pipeline pipe{ring, team, tilepipe::interop::bind(user, state), loaders...};
      body(pipe);
    }
  }
};

struct BoundBarriers : Automatic {};
template <>
struct WithPolicy<BoundBarriers> {
  template <class Ring, class Team, class Body, class... Loaders>
  static __device__ void call(Ring& ring, const Team& team, Body&& body, Loaders&... loaders) {
    constexpr int count = Ring::stages * Ring::parts;
    __shared__ cuda::barrier<cuda::thread_scope_block> barriers[count];
    if (block_rank() == 0)
      for (int i = 0; i < count; ++i) init(&barriers[i], block_threads());
    __syncthreads();
    tilepipe::Pipeline pipe{ring, team, tilepipe::interop::bind(barriers), loaders...};
    body(pipe);
  }
};

// The same with barriers that were used before: some are in an odd phase, some in an even one.
struct UsedBarriers : Automatic {};
template <>
struct WithPolicy<UsedBarriers> {
  template <class Ring, class Team, class Body, class... Loaders>
  static __device__ void call(Ring& ring, const Team& team, Body&& body, Loaders&... loaders) {
    constexpr int count = Ring::stages * Ring::parts;
    __shared__ cuda::barrier<cuda::thread_scope_block> barriers[count];
    if (block_rank() == 0)
      for (int i = 0; i < count; ++i) init(&barriers[i], block_threads());
    __syncthreads();
    for (int i = 0; i <= count; ++i) barriers[i % count].arrive_and_wait();
    barriers[count - 1].arrive_and_wait();
    tilepipe::Pipeline pipe{ring, team, tilepipe::interop::bind(barriers), loaders...};
    body(pipe);
  }
};

template <class Team, class Policy = Automatic>
using Foreign = How<Team, Policy, Via<Path::libcudacxx>>;

}  // namespace tilepipe_test
