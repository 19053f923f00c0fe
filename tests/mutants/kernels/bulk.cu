// SPDX-License-Identifier: Apache-2.0
// Bulk copies without roles, from compute capability 9.0.
#include "kernels.cuh"

using InBulk = tilepipe::TileLoader<Vector, Via<bulk>>;
using Copied = tilepipe::TileLoader<Vector, Via<cp_async>>;
KERNEL(bulk_s1__t128u1e512_exact, stream<tilepipe::Block<128>, Default, 1, Vector, Via<bulk>>)
KERNEL(bulk_s3__t128u1e512_exact, stream<tilepipe::Block<128>, Default, 3, Vector, Via<bulk>>)
KERNEL(bulk_warp__t64u2e512_exact, stream<tilepipe::Warp, Default, 3, Vector, Via<bulk>>)
KERNEL(bulk_rows_skip__t128u1e512_skip,
       edges<tilepipe::Block<128>, Default, 3, Matrix, tilepipe::Skip, Via<bulk>>)
KERNEL(bulk_mixed__t128u1e512_pair, pair<tilepipe::Block<128>, Default, 3, InBulk, Copied>)
KERNEL(bulk_parts__t128u1e512_pair, parts<tilepipe::Block<128>, Default, 3, InBulk>)

// Compute writes to the stage, which the next bulk copy overwrites.
extern "C" __global__ void bulk_written__t128u1e512_exact(Arguments v) {
  using Stage = One<Vector>;
  __shared__ tilepipe::Ring<Stage, 3> ring[1];
  poison(ring, 1, v.seed);
  const long long first = 1ll * blockIdx.x * v.tiles;
  InBulk load{v.in};
  tilepipe::Pipeline pipe{ring[0], tilepipe::Block<128>{}, load};
  pipe.run(
      v.tiles,
      [&](Stage& s, int t) {
        maybe_late(v.seed, t, before_load);
        pipe.fill(load, s.x, (first + t) * Vector::size);
      },
      [&](Stage& s, int t) {
        maybe_late(v.seed, t, before_read);
        for (int i = pipe.rank(); i < Vector::size; i += pipe.size()) s.x[i] *= 3;
        pipe.sync();
        Word* out = v.out + (first + t) * Vector::size;
        for (int i = pipe.rank(); i < Vector::size; i += pipe.size())
          out[i] = s.x[turned<Vector::size>(i)];
        pipe.sync();
        for (int i = pipe.rank(); i < Vector::size; i += pipe.size()) s.x[i] = 0xabababab;
      });
}
