// SPDX-License-Identifier: Apache-2.0
// One kernel for each message of TILEPIPE_CHECKS: it breaks that rule and no other.
#include "checks.hpp"

#include <cooperative_groups.h>

#include <tilepipe/interop/libcudacxx.cuh>
#include <tilepipe/tile_storer.cuh>
#include <tilepipe/tilepipe.cuh>

#pragma nv_diag_suppress 20054  // dynamic initialization of a shared variable: its type has one

namespace tilepipe_test {

using CheckedTile = tilepipe::Tile<float, 64>;
using CheckedRows = tilepipe::Tile<float, 2, 32>;
struct CheckedStage {
  CheckedTile x;
};
struct CheckedRowsStage {
  CheckedRows x;
};
using CheckedRoles = tilepipe::Specialized<32, 32>;

enum class Wrong { acquire_full, fill, commit, wait, release, parts, scope, loader, run };

template <Wrong What>
__global__ void wrong_order(const float* in) {
  constexpr int parts = What == Wrong::parts || What == Wrong::commit ? 2 : 1;
  __shared__ tilepipe::Ring<CheckedStage, 1, parts> ring;
  tilepipe::TileLoader<CheckedTile> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<32>{}, load};
  if constexpr (What == Wrong::loader) {
    tilepipe::TileLoader<CheckedTile> other{in};
    pipe.fill(other, pipe.producer_acquire().x, 0);
  }
  if constexpr (What == Wrong::fill) pipe.fill(load, ring.stage[0].x, 0);
  if constexpr (What == Wrong::commit) pipe.producer_commit();
  if constexpr (What == Wrong::wait) pipe.consumer_wait();
  if constexpr (What == Wrong::release) pipe.consumer_release();
  if constexpr (What == Wrong::acquire_full || What == Wrong::scope || What == Wrong::parts ||
                What == Wrong::run) {
    CheckedStage& stage = pipe.producer_acquire();
    pipe.fill(load, stage.x, 0);
    pipe.producer_commit();
    if constexpr (What == Wrong::acquire_full) pipe.producer_acquire();
    if constexpr (What == Wrong::run)
      pipe.run(
          1, [&](CheckedStage& s, long long) { pipe.fill(load, s.x, 0); },
          [](const CheckedStage&, long long) {});
    if constexpr (What == Wrong::parts) {
      pipe.producer_commit();
      pipe.consumer_wait();
      pipe.consumer_release();
    }
  }
}

template <bool Computing>
__global__ void wrong_role(const float* in) {
  __shared__ tilepipe::Ring<CheckedStage, 2> ring;
  tilepipe::TileLoader<CheckedTile> load{in};
  tilepipe::Pipeline pipe{ring, CheckedRoles{}, load};
  if (Computing && threadIdx.x < 32) pipe.producer_acquire();
  if (!Computing && threadIdx.x >= 32) pipe.consumer_wait();
}

__global__ void turns_of_none(const float* in) {
  using Team = tilepipe::SpecializedTurns<32, 32, 2>;
  __shared__ tilepipe::Ring<CheckedStage, 2> ring;
  tilepipe::TileLoader<CheckedTile> load{in};
  tilepipe::Pipeline pipe{ring, Team{0}, load};
  pipe.run(
      1, [&](CheckedStage& s, long long) { pipe.fill(load, s.x, 0); },
      [](const CheckedStage&, long long) {});
}

__global__ void second_wait(const float* in) {  // of a cuda::pipeline, before the release
  __shared__ tilepipe::Ring<CheckedStage, 2> ring;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto user = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  tilepipe::TileLoader<CheckedTile, tilepipe::Via<tilepipe::Path::libcudacxx>> load{in};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<32>{}, tilepipe::interop::bind(user, state), load};
  for (int t = 0; t < 2; ++t) {
    pipe.fill(load, pipe.producer_acquire().x, 0);
    pipe.producer_commit();
  }
  pipe.consumer_wait();
  pipe.consumer_wait();
}

__global__ void outside(const float* in) {  // the tile has 64 elements, the source 40
  __shared__ tilepipe::Ring<CheckedStage, 2> ring;
  tilepipe::TileLoader<CheckedTile> load{in, 40};
  tilepipe::Pipeline pipe{ring, load};
  pipe.run(
      1, [&](CheckedStage& s, long long) { pipe.fill(load, s.x, 0); },
      [](const CheckedStage&, long long) {});
}
__global__ void misaligned(
    const float* in) {  // the source is a multiple of 4 bytes, the promise 16
  __shared__ tilepipe::Ring<CheckedStage, 2> ring;
  tilepipe::TileLoader<CheckedTile> load{in};
  tilepipe::Pipeline pipe{ring, load};
  pipe.run(
      1, [&](CheckedStage& s, long long) { pipe.fill(load, s.x, 0); },
      [](const CheckedStage&, long long) {});
}
__global__ void apart(const float* in) {  // rows of 32 elements, 40 from one to the next
  __shared__ tilepipe::Ring<CheckedRowsStage, 2> ring;
  tilepipe::TileLoader<CheckedRows, tilepipe::Packed> load{in, 4, 32, 40};
  tilepipe::Pipeline pipe{ring, load};
  pipe.run(
      1, [&](CheckedRowsStage& s, long long) { pipe.fill(load, s.x, 0, 0); },
      [](const CheckedRowsStage&, long long) {});
}
template <int Row>  // the source has 4 rows
__global__ void names_no_row(const float* in) {
  __shared__ tilepipe::Ring<CheckedRowsStage, 2> ring;
  tilepipe::TileLoader<CheckedRows, tilepipe::Gathered, tilepipe::ZeroFill> load{in, 4, 32, 32};
  tilepipe::Pipeline pipe{ring, load};
  pipe.run(
      1,
      [&](CheckedRowsStage& s, long long) {
        pipe.fill(
            load, s.x, [](int r) { return r == 1 ? tilepipe::index_t{Row} : tilepipe::absent_row; },
            0);
      },
      [](const CheckedRowsStage&, long long) {});
}
__global__ void absent(const float* in) {
  __shared__ tilepipe::Ring<CheckedRowsStage, 2> ring;
  tilepipe::TileLoader<CheckedRows, tilepipe::Gathered> load{in, 4, 32, 32};
  tilepipe::Pipeline pipe{ring, load};
  pipe.run(
      1,
      [&](CheckedRowsStage& s, long long) {
        pipe.fill(
            load, s.x, [](int r) { return r == 1 ? tilepipe::absent_row : tilepipe::index_t(r); },
            0);
      },
      [](const CheckedRowsStage&, long long) {});
}

enum class WrongStore { unacquired, role, outside, misaligned };
template <WrongStore What>
__global__ void wrong_store(const float* in) {
  __shared__ tilepipe::StoreRing<CheckedTile, 2> ring;
  tilepipe::TileStorer<CheckedTile> store{const_cast<float*>(in),
                                          What == WrongStore::outside ? 40 : 64};
  if constexpr (What == WrongStore::role) {
    tilepipe::StorePipeline stores{ring, CheckedRoles{}, store};
    if (threadIdx.x >= 32) stores.acquire();
  } else {
    tilepipe::StorePipeline stores{ring, tilepipe::Block<32>{}, store};
    if constexpr (What != WrongStore::unacquired) stores.acquire();
    stores.store(0);
  }
}

enum class WrongStageStore { unwaited, other, not_oldest };
template <WrongStageStore What>
__global__ void wrong_stage_store(const float* in) {
  __shared__ tilepipe::Ring<CheckedStage, 2> ring;
  tilepipe::TileLoader<CheckedTile> load{in};
  tilepipe::TileStorer<CheckedTile> store{const_cast<float*>(in)}, other{const_cast<float*>(in)};
  tilepipe::Pipeline pipe{ring, tilepipe::Block<32>{}, load, store};
  for (int t = 0; t < 2; ++t) {
    pipe.fill(load, pipe.producer_acquire().x, 0);
    pipe.producer_commit();
  }
  if constexpr (What == WrongStageStore::unwaited) {
    pipe.store(store, ring.stage[0].x, 0);
  } else {
    pipe.consumer_wait(tilepipe::writable);
    CheckedStage& second = pipe.consumer_wait(tilepipe::writable);
    if constexpr (What == WrongStageStore::other)
      pipe.store(other, second.x, 0);
    else
      pipe.store_last(store, second.x, 0);
  }
}

const __constant__ tilepipe::TensorSource<CheckedRows> without_map = {
    {}, {nullptr, {4, 32}, {32, 1}}, 0};
__global__ void no_map(const float*) {
  tilepipe::TileLoader<CheckedRows, tilepipe::Mapped, tilepipe::ZeroFill> load{without_map};
}
enum class Side { load, store };
template <Side What>
__global__ void local_map(const float* in) {
  tilepipe::TensorSource<CheckedRows> copy{{}, {in, {4, 32}, {32, 1}}, 1};
  if constexpr (What == Side::load)
    tilepipe::TileLoader<CheckedRows, tilepipe::Mapped, tilepipe::ZeroFill> load{copy};
  else
    tilepipe::TileStorer<CheckedRows, tilepipe::Mapped> store{copy};
}

template <class Kernel>
const void* kernel_address(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

const WrongUse* wrong_uses(int& count) {
  static const WrongUse all[] = {
      {"acquire-full",
       "tilepipe::Pipeline::producer_acquire: all 1 stages are filled or held; release one before "
       "acquiring",
       kernel_address(&wrong_order<Wrong::acquire_full>), 32, 0},
      {"fill-unacquired",
       "tilepipe::Pipeline::fill: no stage is acquired; call producer_acquire first",
       kernel_address(&wrong_order<Wrong::fill>), 32, 0},
      {"commit-unacquired",
       "tilepipe::Pipeline::producer_commit: no stage is acquired; call producer_acquire first",
       kernel_address(&wrong_order<Wrong::commit>), 32, 0},
      {"wait-empty",
       "tilepipe::Pipeline::consumer_wait: nothing is in flight; fill and commit a stage first",
       kernel_address(&wrong_order<Wrong::wait>), 32, 0},
      {"release-unheld",
       "tilepipe::Pipeline::consumer_release: no stage is held; call consumer_wait first",
       kernel_address(&wrong_order<Wrong::release>), 32, 0},
      {"release-parts",
       "tilepipe::Pipeline::consumer_release: the stage has parts not waited for; wait for all 2 "
       "parts",
       kernel_address(&wrong_order<Wrong::parts>), 32, 0},
      {"scope-in-flight",
       "tilepipe::Pipeline: its scope ends with 1 parts in flight; wait for them, or call drain() "
       "or leave()",
       kernel_address(&wrong_order<Wrong::scope>), 32, 0},
      {"run-filled",
       "tilepipe::Pipeline::run: 1 stages are filled or held; release them, or call drain()",
       kernel_address(&wrong_order<Wrong::run>), 32, 0},
      {"turns-of-none", "tilepipe::SpecializedTurns{tiles}: a turn has 0 tiles; it needs 1 or more",
       kernel_address(&turns_of_none), 96, 0},
      {"second-wait",
       "tilepipe::Pipeline::consumer_wait: a bound cuda::pipeline holds one stage at a time; "
       "release it first",
       kernel_address(&second_wait), 32, 0},
      {"packed-apart",
       "tilepipe::TileLoader<Tile, Packed>: row 1 of the tile does not follow the row before it; "
       "leave Packed out",
       kernel_address(&apart), 32, 0},
      {"loader-unknown",
       "tilepipe::Pipeline::fill: the pipeline was given another loader of this type, not this "
       "object",
       kernel_address(&wrong_order<Wrong::loader>), 32, 0},
      {"acquire-computing",
       "tilepipe::Pipeline::producer_acquire: called by a thread that computes",
       kernel_address(&wrong_role<true>), 64, 0},
      {"wait-loading", "tilepipe::Pipeline::consumer_wait: called by a thread that only loads",
       kernel_address(&wrong_role<false>), 64, 0},
      {"exact-outside",
       "tilepipe::TileLoader<Tile, Exact>: of a row's 256 bytes, bytes 0 to 160 are in the source; "
       "use ZeroFill or Skip",
       kernel_address(&outside), 32, 0},
      {"exact-absent",
       "tilepipe::TileLoader<Tile, Exact>: row 1 of the tile is not in the source; use ZeroFill or "
       "Skip",
       kernel_address(&absent), 32, 0},
      {"gathered-beyond",
       "tilepipe::TileLoader<Tile, Gathered>: row 1 of the tile is row 4 of the source, which has "
       "4 "
       "rows; name one of them, or tilepipe::absent_row",
       kernel_address(&names_no_row<4>), 32, 0},
      {"gathered-negative",
       "tilepipe::TileLoader<Tile, Gathered>: row 1 of the tile is row -2 of the source, which has "
       "4 rows; name one of them, or tilepipe::absent_row",
       kernel_address(&names_no_row<-2>), 32, 0},
      {"promise-broken",
       ", which is not a multiple of the promised 16 bytes; use Aligned<n> or AnyAlignment",
       kernel_address(&misaligned), 32, 4},
      {"mapped-without-map",
       "tilepipe::TileLoader<Tile, Mapped>: the TensorSource has no map, since a rule of maps is "
       "broken, as host::tensor_source said; load source.view by a loader that is not Mapped",
       kernel_address(&no_map), 32, 0},
      {"mapped-local-copy",
       "tilepipe::TileLoader<Tile, Mapped>: the TensorSource is a copy in the thread's memory, "
       "where a tensor copy cannot read its map; take the kernel's parameter as const "
       "__grid_constant__ TensorSource<Tile>",
       kernel_address(&local_map<Side::load>), 32, 0},
      {"store-local-copy",
       "tilepipe::TileStorer<Tile, Mapped>: the TensorSource is a copy in the thread's memory, ",
       kernel_address(&local_map<Side::store>), 32, 0},
      {"stage_store-unwaited",
       "tilepipe::Pipeline::store: no stage is held; call consumer_wait first",
       kernel_address(&wrong_stage_store<WrongStageStore::unwaited>), 32, 0},
      {"stage_store-other",
       "tilepipe::Pipeline::store: the pipeline was given another storer of this type, not this "
       "object",
       kernel_address(&wrong_stage_store<WrongStageStore::other>), 32, 0},
      {"stage_store-not_oldest",
       "tilepipe::Pipeline::store_last: the tile is not in the oldest held stage, which is "
       "released next; use store",
       kernel_address(&wrong_stage_store<WrongStageStore::not_oldest>), 32, 0},
      {"store-unacquired",
       "tilepipe::StorePipeline::store: no slot is acquired; call acquire first",
       kernel_address(&wrong_store<WrongStore::unacquired>), 32, 0},
      {"store-loading", "tilepipe::StorePipeline::acquire: called by a thread that only loads",
       kernel_address(&wrong_store<WrongStore::role>), 64, 0},
      {"store-outside",
       "tilepipe::TileStorer<Tile, Exact>: of a row's 256 bytes, bytes 0 to 160 are in the "
       "destination; use Skip",
       kernel_address(&wrong_store<WrongStore::outside>), 32, 0},
      {"store-promise-broken", "tilepipe::TileStorer: row 0 of the tile starts at ",
       kernel_address(&wrong_store<WrongStore::misaligned>), 32, 4},
  };
  count = static_cast<int>(sizeof all / sizeof all[0]);
  return all;
}

}  // namespace tilepipe_test
