// SPDX-License-Identifier: Apache-2.0
// The register path: two-phase, alone and beside cp.async.
#include "kernels.cuh"

using Loader = tilepipe::TileLoader<Vector, Via<registers>>;
KERNEL(registers_s1__t128u1e512_exact,
       stream<tilepipe::Block<128>, By<groups>, 1, Vector, Via<registers>>)
KERNEL(registers_s3__t128u1e512_exact,
       stream<tilepipe::Block<128>, By<groups>, 3, Vector, Via<registers>>)
KERNEL(registers_warp__t64u2e512_exact, stream<tilepipe::Warp, Default, 2, Vector, Via<registers>>)
KERNEL(registers_zero__t128u1e512_zero,
       edges<tilepipe::Block<128>, By<groups>, 3, Matrix, tilepipe::ZeroFill, Via<registers>>)
KERNEL(registers_parts__t128u1e512_pair, parts<tilepipe::Block<128>, By<groups>, 3, Loader>)
