// SPDX-License-Identifier: Apache-2.0
// Completion by groups: every team, 1 to 4 stages, edges.
#include "kernels.cuh"

KERNEL(groups_s1__t128u1e512_exact,
       stream<tilepipe::Block<128>, By<groups>, 1, Vector, Via<cp_async>>)
KERNEL(groups_s2__t128u1e512_exact,
       stream<tilepipe::Block<128>, By<groups>, 2, Vector, Via<cp_async>>)
KERNEL(groups_s4__t128u1e512_exact,
       stream<tilepipe::Block<128>, By<groups>, 4, Vector, Via<cp_async>>)
KERNEL(groups_unknown_size__t96u1e512_exact,
       stream<tilepipe::Block<>, By<groups>, 3, Vector, Via<cp_async>>)
KERNEL(groups_warp__t64u2e512_exact, stream<tilepipe::Warp, By<groups>, 3, Vector, Via<cp_async>>)
KERNEL(groups_thread__t64u64e16_exact,
       stream<tilepipe::Thread, Default, 3, tilepipe::Tile<Word, 16>, Via<cp_async>>)
KERNEL(groups_zero__t128u1e512_zero,
       edges<tilepipe::Block<128>, By<groups>, 3, Matrix, tilepipe::ZeroFill, Via<cp_async>>)
KERNEL(groups_skip__t128u1e512_skip,
       edges<tilepipe::Block<128>, By<groups>, 3, Matrix, tilepipe::Skip, Via<cp_async>>)
KERNEL(groups_any__t128u1e512_zero,
       edges<tilepipe::Block<128>, By<groups>, 3, Matrix, tilepipe::ZeroFill,
             tilepipe::AnyAlignment, Via<cp_async>>)
KERNEL(groups_parts__t128u1e512_pair,
       parts<tilepipe::Block<128>, By<groups>, 3, tilepipe::TileLoader<Vector, Via<cp_async>>>)
