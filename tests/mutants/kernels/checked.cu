// SPDX-License-Identifier: Apache-2.0
// With TILEPIPE_CHECKS every lane arrives: of a warp that has read a stage, and of one that has
// issued copies.
#define TILEPIPE_CHECKS
#include "kernels.cuh"

using Roles = tilepipe::Specialized<32, 96>;
using Block = tilepipe::Block<128>;
KERNEL(checked_rows__t128u1e512_skip, edges<Block, Default, 2, Matrix, tilepipe::Skip, Via<bulk>>)
KERNEL(checked_roles_rows__t128u1e512_skip,
       edges<Roles, Default, 2, Matrix, tilepipe::Skip, Via<bulk>>)
