// SPDX-License-Identifier: Apache-2.0
// Completion by mbarriers without roles, from compute capability 8.0.
#include "kernels.cuh"

using Copied = tilepipe::TileLoader<Vector, Via<cp_async>>;
using Stored = tilepipe::TileLoader<Vector, Via<registers>>;
KERNEL(mbarrier_s1__t128u1e512_exact,
       stream<tilepipe::Block<128>, By<mbarrier>, 1, Vector, Via<cp_async>>)
KERNEL(mbarrier_s3__t128u1e512_exact,
       stream<tilepipe::Block<128>, By<mbarrier>, 3, Vector, Via<cp_async>>)
KERNEL(mbarrier_warp__t64u2e512_exact,
       stream<tilepipe::Warp, By<mbarrier>, 2, Vector, Via<cp_async>>)
KERNEL(mbarrier_registers__t128u1e512_exact,
       stream<tilepipe::Block<128>, By<mbarrier>, 3, Vector, Via<registers>>)
KERNEL(mbarrier_skip__t128u1e512_skip,
       edges<tilepipe::Block<128>, By<mbarrier>, 3, Matrix, tilepipe::Skip, Via<cp_async>>)
KERNEL(mbarrier_any__t128u1e512_zero,
       edges<tilepipe::Block<128>, By<mbarrier>, 3, Matrix, tilepipe::ZeroFill,
             tilepipe::AnyAlignment, Via<cp_async>>)
KERNEL(mbarrier_mixed__t128u1e512_pair, pair<tilepipe::Block<128>, Default, 3, Copied, Stored>)
KERNEL(mbarrier_parts__t128u1e512_pair, parts<tilepipe::Block<128>, By<mbarrier>, 3, Copied>)
KERNEL(mbarrier_parts_registers__t128u1e512_pair,
       parts<tilepipe::Block<128>, By<mbarrier>, 3, Stored>)
