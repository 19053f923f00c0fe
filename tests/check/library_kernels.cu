// SPDX-License-Identifier: Apache-2.0
// The library's kernels that the checker runs: every completion, path, team and verb.
// CHECK_ARCH is the architecture of the PTX: 75, 80, 90, 100.
#include <tilepipe/tile_storer.cuh>

#include "../mutants/kernels/kernels.cuh"
#include "../mutants/kernels/reuse.cuh"

namespace registers_kernels {
#include "../mutants/kernels/registers.cu"
}
namespace roles_kernels {
#include "../mutants/kernels/roles.cu"
}
namespace stop_kernels {
#include "../mutants/kernels/stop.cu"
}
namespace verbs_kernels {
#include "../mutants/kernels/verbs.cu"
}
#if CHECK_ARCH >= 80
namespace groups_kernels {
#include "../mutants/kernels/groups.cu"
}
namespace mbarrier_kernels {
#include "../mutants/kernels/mbarrier.cu"
}
#endif
#if CHECK_ARCH >= 90
namespace bulk_kernels {
#include "../mutants/kernels/bulk.cu"
}
namespace tensor_kernels {
#include "../mutants/kernels/tensor.cu"
}
#endif
