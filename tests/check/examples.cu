// SPDX-License-Identifier: Apache-2.0
// The examples' kernels that the checker runs.
#include "01_double_buffer.cuh"
#include "02_single_stage.cuh"
#include "04_gather_rows.cuh"
#include "05_any_alignment.cuh"
#include "06_warp_private.cuh"
#include "07_mixed_stage.cuh"
#include "08_tma_tile.cuh"
#include "10_stencil.cuh"
#include "11_sgemm.cuh"  // its launches name its kernels
#include "12_bgmv.cuh"   // the same
#include "13_decode_attention.cuh"

template __global__ void example::scale<1>(const float*, float*, int);
template __global__ void example::scale<2>(const float*, float*, int);
template __global__ void example::embedding_bag<example::BagShape<float, 34, int, 4, 3>>(
    const example::Bags<float, int>);
template __global__ void example::embedding_bag<example::BagShape<float, 17, long long>>(
    const example::Bags<float, long long>);
template __global__ void
example::copy_bytes_kernel<example::ByteShape<256, 3, tilepipe::Block<64>>>(unsigned char*,
                                                                            const unsigned char*,
                                                                            long long);
template __global__ void example::row_sums<3>(const int*, int, int, long long*);
template __global__ void example::sequence_hashes<4>(const int*, const long long*, const int*, int,
                                                     unsigned*);
template __global__ void example::mixed_stage<3>(example::MixedSources, float*);
template __global__ void example::transpose<4>(const __grid_constant__ example::Square, float*, int,
                                               int);
using SmallStencil = example::StencilShape<4, 256, 4, 4>;
template __global__ void example::stencil7<SmallStencil>(
    const __grid_constant__ SmallStencil::Source, float*, example::StencilWeights, int);
template __global__ void example::decode_kernel<3>(example::Decode);
template __global__ void example::decode_kernel<1>(example::Decode);
