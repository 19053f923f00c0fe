// SPDX-License-Identifier: Apache-2.0
// A stage of unlike tiles on one full barrier: a tensor copy's bytes, rows by an index through
// cp.async, each with its own arrival.
// RUN-ARCH: 80 90
#include "ptx/streams.cuh"

struct BoxAndRows {
  Matrix box;   // mapped
  Matrix rows;  // gathered
};

// 32 loading threads arrive by their copies, one of them for the box's bytes as well. Both arrive
// when both copies have been issued.
// CHECK-LABEL: .entry box_and_rows(
// SM90: mov.{{[bu]}}32 [[COUNT:%r[0-9]+]], 33;
// SM90: mbarrier.init.shared::cta.b64 [{{%r[0-9]+}}], [[COUNT]];
// SM90: bar.sync
// SM90: cp.async.bulk.tensor.2d
// SM90: cp.async.c{{[ag]}}.shared.global
// SM90: mbarrier.arrive.expect_tx.shared::cta.b64 _, [[[FULL:%r[0-9]+]]],
// SM90: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [[[FULL]]];
// SM80: mov.{{[bu]}}32 [[COUNT:%r[0-9]+]], 32;
// SM80: mbarrier.init.shared::cta.b64 [{{%r[0-9]+}}], [[COUNT]];
// SM80: bar.sync
// SM80: _wait.parity.shared::cta.b64 done, [
// SM80: ld.shared
// SM80: cp.async.c{{[ag]}}.shared.global
// SM80: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [
// CHECK: ret;
extern "C" __global__ void box_and_rows(const __grid_constant__ tilepipe::TensorSource<Matrix> in,
                                        const float* table, const int* index, float* out,
                                        int tiles) {
  __shared__ tilepipe::Ring<BoxAndRows, 3> ring;
  tilepipe::TileLoader<Matrix, tilepipe::Mapped, tilepipe::ZeroFill> load_box{in};
  tilepipe::TileLoader<Matrix, tilepipe::Gathered, tilepipe::ZeroFill> load_rows{
      table, 1000, Matrix::cols, Matrix::cols};
  tilepipe::Pipeline pipe{ring, tilepipe::Specialized<32, 96>{}, load_box, load_rows};
  pipe.run(
      tiles,
      [&](BoxAndRows& s, int t) {
        pipe.fill(load_box, s.box, t * Matrix::rows, 0);
        pipe.fill(
            load_rows, s.rows, [&](int r) { return index[t * Matrix::rows + r]; }, 0);
      },
      [&](const BoxAndRows& s, int t) {
        pipe.for_each(s.box, [&](int i, float v) { out[t * Matrix::size + i] = v + s.rows[i]; });
      });
}
