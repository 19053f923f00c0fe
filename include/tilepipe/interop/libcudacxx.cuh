// SPDX-License-Identifier: Apache-2.0
// libcu++ behind the verbs: Via<Path::libcudacxx> copies by cuda::memcpy_async and completes by
// cuda::pipeline or cuda::barrier, the pipeline's own or the user's.
#pragma once

#include "cuda_barrier.cuh"
#include "cuda_pipeline.cuh"

// Faults of the toolkit that these files go around. A guard may go when no supported toolkit has
// the fault.
// - The parity wait of cuda::barrier on sm_90 has no "memory" clobber in CCCL 3.0 and 3.1 (CUDA
//   13.0 and 13.1; mended in 3.2, NVIDIA/cccl pull request 6250), so nothing says that loads stay
//   behind it. Neither have commit and wait of cuda::pipeline at thread scope, in any version so
//   far. Hence a compiler barrier after each wait and around each commit.
// - cuda::pipeline::consumer_wait() at thread scope finds its depth at run time, nine instructions
//   behind a switch. Hence pipeline_consumer_wait_prior<N>, which waits for more than asked where
//   N > 8.
// - A moved cuda::pipeline quits twice, since the moved-from object stays active. Hence pipelines
//   are bound by reference.
// - memcpy_async copies too much where the size is no multiple of the alignment, and element by
//   element where alignof(T) is under 4. Hence bytes, with aligned_size_t of the width that the
//   loader promises. Under 4 bytes it copies at once.
// - memcpy_async on a barrier, CCCL 3.0 on sm_90: for 16 bytes a thread it issues a bulk copy for
//   each, and for more nvcc 13.0 may settle at compile time for cp.async. Hence
//   cuda::device::memcpy_async_tx, a row a call.
